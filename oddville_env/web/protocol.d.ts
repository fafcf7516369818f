// The messages of page and server, printed by `python -m oddville_env.web.messages.page_types`.

declare namespace Protocol {
  type Made = {
    id: string;
    game: string;
    keys: {
      host: string;
      watch: string;
      seats: (string | null)[];
    };
  };
  /** The inside of an SVG with this view box. */
  type Drawing = {
    box: number[];
    svg: string;
    /** for tooltips and screen readers, in English */
    text: string;
  };
  type Step = {
    text: string;
    kind: string;
    depth: number;
    card: number | null;
    buildings: string[];
    others: string[];
    lots: number[];
    owns: string[][];
    left: {
      building: string;
      lots: number[];
    }[];
  };
  /** A legal move, with its effects after resampling what is unknown. */
  type Move = {
    word: string;
    text: string;
    /** the spots to touch, in order; empty: a button */
    path: string[];
    parts: any;
    /** the change for every seat, as `coins` */
    scores: number[];
    coins: number[] | null;
    price?: number;
    /** the building's own value there */
    worth?: number;
    /** what it grants, in any order */
    bonuses?: string[];
    /** the guild whose top character comes */
    favour?: string;
    /** where the worker goes */
    slot?: string;
    /** what is laid or gained */
    drawing?: string;
    pays?: Record<string, number>;
    /** words that may follow at once, each by one spot more */
    then?: {
      spot: string;
      word: string;
    }[];
    /** tokens taken away */
    goes?: {
      building: string;
      lot: number;
    }[];
    /** tokens put */
    comes?: {
      building: string;
      lot: number;
    }[];
    /** buildings fixed */
    stands?: {
      building: string;
      lot: number;
    }[];
    /** the steps by which a person would see it */
    why?: Step[];
  };
  type Moves = {
    kind: string;
    rule: string | null;
    moves: Move[];
  };
  /** One thing that moves between two spots. */
  type Event = {
    event: string;
    from: string;
    to: string;
    drawing?: string;
    character?: string;
    building?: string;
    seat?: number;
    number?: number;
    worker?: number;
    card?: number;
    in_hand?: boolean;
  };
  /** A seat and its player. */
  type Sitting = {
    name: string;
    /** why the agent failed */
    message: string;
    agent: string | null;
    /** the person's name; plain text */
    person: string | null;
    seat: number;
    /** games won, of those that the same people played in a row */
    wins: number;
    mine: boolean;
    here: boolean;
    kind: "human" | "agent";
    status: "waiting" | "to_move" | "thinking" | "failed" | "away" | "left";
    /** seconds in this status */
    since: number;
  };
  type Points = {
    points: number;
    sources: {
      source: string;
      points: number;
    }[] | null;
  };
  type Outcome = {
    scores: number[];
    ranks: number[];
    winners: number[];
    trigger: number | null;
    truncated: boolean;
    end: string | null;
  };
  /** A line of the list of moves. */
  type Entry = {
    move: number;
    seat: number;
    word: string;
    text: string;
    /** after the move */
    scores: number[];
    /** what it moved, without drawings */
    events: Event[];
  };
  /** A wish to go back to the position after `move` moves. */
  type Asked = {
    what: "undo";
    seats: number[];
    /** the seats that have not agreed */
    waits: number[];
    move: number;
  };
  type Terms = {
    total: number;
    increment: number;
  };
  /** The clock at the time of the message. */
  type Clock = {
    total: number;
    increment: number;
    /** seconds by seat; null for agents */
    left: (number | null)[];
    /** the seat whose time runs */
    runs: number | null;
    /** the seats whose time is over */
    ended: number[];
    /** the agent that continues for them */
    agent: string;
  };
  /** A line of the chat; `seat` is null for spectators. */
  type Line = {
    seat: number | null;
    name: string | null;
    text: string;
    /** seconds since 1970 */
    when: number;
  };
  /** A move that an agent considers. */
  type Candidate = {
    word: string;
    text: string;
    share: number;
    visits: number | null;
    /** every seat's win chance after it */
    values: number[] | null;
    line: string[];
    played: boolean;
  };
  /** A move in the tree of a search. */
  type Branch = {
    word: string;
    /** the last spot that it touches */
    spot: string | null;
    /** what it brings there */
    drawing: string | null;
    /** the index in `tree` of the move before it; null at the root */
    parent: number | null;
    visits: number;
    /** to move */
    seat: number;
    /** the chance of `seat` to win after it */
    value: number;
    /** the share expected before any visit */
    prior: number;
  };
  /** A mistake: a move that cost its seat win chances. */
  type Turn = {
    move: number;
    seat: number;
    word: string;
    /** of the seat's chance, against the agent's own choice: a mean of several analyses, below 0 */
    change: number;
    /** of `change`; null where it is of one analysis */
    standard_error: number | null;
    /** the agent's own choice; null: the same move */
    better: string | null;
  };
  /** A decision at which two agents choose different moves. */
  type Difference = {
    /** the number of the move that was played */
    move: number;
    /** the seat that made it */
    seat: number;
    one: string;
    other: string;
    /** what `other` costs in win chances as the first agent sees it */
    cost: number | null;
    /** the reverse */
    other_cost: number | null;
  };
  /** The first message after connecting. */
  type Hello = {
    type: "hello";
    protocol: number;
    players: number;
    id: string;
    game: string;
    title: string;
    role: "host" | "seat" | "watch";
    /** the seats that this key plays */
    mine: number[];
    replay: boolean;
    help: boolean;
    settings: Record<string, any>;
    /** the host's keys to give away; null where a seat is an agent's, or its browser has come */
    links: {
      watch: string;
      seats: (string | null)[];
    } | null;
  };
  /** The whole table, after every change of anything. */
  type State = {
    type: "state";
    /** what changed; `seats`: only seats, pause or pace */
    reason: "enter" | "move" | "undo" | "go" | "seats";
    /** the move that led to the shown position */
    word: string | null;
    /** the next move of a replay */
    played_next: string | null;
    /** the number of moves played */
    moves: number;
    /** the number of moves after which the shown position is */
    shown: number;
    to_move: number | null;
    /** the seat that played `word` */
    by: number | null;
    /** the seat whose view this is; null: what every browser may see */
    view: number | null;
    /** the seat whose hand waits here for its player */
    covered: number | null;
    over: boolean;
    paused: boolean;
    /** shown == moves */
    newest: boolean;
    /** the host has not switched the chat off */
    chat: boolean;
    /** a player has seen more than a player may */
    practice: boolean;
    /** false where the disk refused the game; it is tried again */
    saved: boolean;
    /** the law's position format, as the view may see it */
    position: any;
    /** what stands where, by spots and drawings; null for a game without a scene */
    table: any;
    score: Points[];
    outcome: Outcome | null;
    headline: string;
    prompt: string;
    notice: string;
    /** by kind in the law's order; empty unless this key is to move, or in replays */
    legal: Moves[];
    /** what the move moved; only for `move`, and for `go` one step forward */
    events: Event[];
    seats: Sitting[];
    /** `entries` replace the list of moves from place `from` on */
    list: {
      from: number;
      entries: Entry[];
    };
    may: {
      move: boolean;
      undo: boolean;
      agree: boolean;
      seat: boolean;
      replace: boolean;
      pause: boolean;
      analyse: boolean;
      chances: boolean;
      hint: boolean;
      record: boolean;
      play_on: boolean;
      chat: boolean;
      rematch: boolean;
    };
    /** a player's wish to take back */
    asks: Asked | null;
    clock: Clock | null;
    /** the next game of the same people, and this browser's key to it */
    rematch: {
      id: string;
      key: string;
    } | null;
    pace: number;
    /** those that this connection has not been sent before */
    drawings: Record<string, Drawing>;
    /** the whole table as an SVG, where `table` is null */
    picture?: string | null;
  };
  /** An agent's analysis, in one or more messages; `final` is the last one. */
  type Analysis = {
    type: "analysis";
    id: number | null;
    iterations: number | null;
    purpose: "analyse" | "hint";
    agent: string;
    move: number;
    seat: number;
    final: boolean;
    seconds: number;
    candidates: Candidate[];
    /** by spot: the shares of all candidates that touch it, and the seat's best value there */
    heat: Record<string, {
      share: number;
      value: number | null;
    }>;
    /** the most visited moves; empty without a tree */
    tree: Branch[];
  };
  /** Win chances in parts, until `final`. */
  type Chances = {
    type: "chances";
    id: number | null;
    agent: string;
    from: number;
    /** every seat's chance after `from + k` moves; null: not valued */
    values: (number[] | null)[];
    final: boolean;
    /** in the final part: the mistakes of all seats, the worst first */
    turns: Turn[];
  };
  /** Answers `compare` in parts, until `final`. */
  type Compared = {
    type: "compared";
    id: number | null;
    agents: string[];
    /** those with several legal moves so far */
    decisions: number;
    /** those where both choose the same move */
    same: number;
    final: boolean;
    /** the decisions where they differ most */
    differing: Difference[];
  };
  /** A refusal of message `id`, or a warning (null). */
  type Problem = {
    type: "error";
    id: number | null;
    code: string;
    /** which sentence it is, for other languages */
    why: string;
    /** the sentence in English */
    message: string;
    /** the values in the sentence */
    values: Record<string, any>;
  };
  type Told =
    /** The first message after connecting. */
    | Hello
    /** The whole table, after every change of anything. */
    | State
    /** An agent's analysis, in one or more messages; `final` is the last one. */
    | Analysis
    /** Win chances in parts, until `final`. */
    | Chances
    /** Answers `compare` in parts, until `final`. */
    | Compared
    /** Answers `points`. */
    | {
      type: "points";
      id: number | null;
      /** (moves, seats, sources), in the order of the game's `sources` */
      values: number[][][];
    }
    /** New lines of the chat. The last 100 lines are kept with the game. */
    | {
      type: "chat";
      lines: Line[];
    }
    /** Answers `play_on`. */
    | {
      type: "made";
      id: number | null;
      game: Made;
    }
    /** Answers `ping`. */
    | {
      type: "pong";
      id: number | null;
    }
    /** A refusal of message `id`, or a warning (null). */
    | Problem;
  type Said =
    /** Plays a move, as move number `at`. Refused as `stale`, `illegal` or `not_your_turn`. */
    | {
      type: "move";
      /** at most 60 letters */
      word: string;
      at: number;
      id?: number;
    }
    /** Takes back to the key's last decision, once the other people agree. */
    | {
      type: "undo";
      id?: number;
    }
    /** Answers another player's `undo`. One no ends it. */
    | {
      type: "agree";
      agrees: boolean;
      id?: number;
    }
    /** The seat's player is at this screen: shows its hand here. */
    | {
      type: "uncover";
      seat: number;
      id?: number;
    }
    /** Shows the position after so many moves; null follows the game. */
    | {
      type: "go";
      move: number | null;
      id?: number;
    }
    /** Gives a seat to an agent, or back to a person (null). */
    | {
      type: "seat";
      seat: number;
      /** at most 200 letters */
      agent: string | null;
      id?: number;
    }
    /** Stands up. The seats wait for their player, or for an agent. */
    | {
      type: "leave";
      id?: number;
    }
    /** Sets a player's name; empty removes it. Names that look alike are refused. */
    | {
      type: "name";
      seat: number;
      /** at most 20 letters */
      name: string;
      id?: number;
    }
    /** Writes a line. Spectators may add a name; all of them share one rate. */
    | {
      type: "chat";
      /** at most 200 letters */
      text: string;
      id?: number;
      /** at most 20 letters */
      name?: string | null;
    }
    /** Switches the chat on or off (host). */
    | {
      type: "allow_chat";
      allowed: boolean;
      id?: number;
    }
    /** Begins a game of the same people, each one seat further. */
    | {
      type: "rematch";
      id?: number;
    }
    /** Lets agents wait (host, or a game without people). */
    | {
      type: "pause";
      paused: boolean;
      id?: number;
    }
    /** Sets the least time between two moves of agents (host). */
    | {
      type: "pace";
      seconds: number;
      id?: number;
    }
    /** Makes one move of an agent while paused. */
    | {
      type: "step";
      id?: number;
    }
    /** Asks for a hint: an `analysis` of the game's hint agent. */
    | {
      type: "hint";
      id?: number;
    }
    /** Asks an agent for an analysis; without `move`, of the shown position. */
    | {
      type: "analyse";
      /** at most 200 letters */
      agent: string;
      id?: number;
      move?: number | null;
    }
    /** Ends the running analysis. */
    | {
      type: "stop_analysis";
      id?: number;
    }
    /** Asks for win chances after every move. */
    | {
      type: "chances";
      /** at most 200 letters */
      agent: string;
      id?: number;
    }
    /** Asks at which decisions of the game two agents choose different moves. */
    | {
      type: "compare";
      agents: string[];
      id?: number;
    }
    /** Asks for all seats' points by source after every move. */
    | {
      type: "points";
      id?: number;
    }
    /** Makes a new game that begins with these moves, then a line to be analysed; answered by `made`. */
    | {
      type: "play_on";
      move: number;
      seats: string[];
      id?: number;
      line?: string[];
    }
    /** Answered by `pong`. */
    | {
      type: "ping";
      id?: number;
    };
  type NewGame = {
    /** at most 20 letters */
    game: string;
    seats: string[];
    settings?: Record<string, any>;
    seed?: number;
    help?: boolean;
    clock?: Terms;
    names?: (string | null)[];
  } | {
    /** at most 20 letters */
    game: string;
    record: number;
  } | {
    /** at most 20 letters */
    game: string;
    upload: Record<string, any>;
  };
}
