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
  /** A legal move, with its effects where all that is unknown is dealt anew. */
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
    /** the agent that plays on for them */
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
  /** A move that cost its seat win chances. */
  type Turn = {
    move: number;
    seat: number;
    word: string;
    change: number;
    /** the agent's own choice; null: the same move */
    better: string | null;
  };
  /** The first message after entering. */
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
  };
  /** Win chances in parts, until `final`. */
  type Chances = {
    type: "chances";
    id: number | null;
    agent: string;
    from: number;
    /** every seat's chance after `from + k` moves; null: unknown */
    values: (number[] | null)[];
    final: boolean;
    /** in the final part: the moves that cost their seat most; drawn cards are left out */
    turns: Turn[];
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
  type Told = Hello | State | Analysis | Chances | {
    type: "points";
    id: number | null;
    /** (moves, seats, sources), in the order of the game's `sources` */
    values: number[][][];
  } | {
    type: "chat";
    lines: Line[];
  } | {
    type: "made";
    id: number | null;
    game: Made;
  } | {
    type: "pong";
    id: number | null;
  } | Problem;
  type Said = {
    type: "move";
    word: string;
    at: number;
    id?: number;
  } | {
    type: "undo";
    id?: number;
  } | {
    type: "agree";
    agrees: boolean;
    id?: number;
  } | {
    type: "uncover";
    seat: number;
    id?: number;
  } | {
    type: "go";
    move: number | null;
    id?: number;
  } | {
    type: "seat";
    seat: number;
    agent: string | null;
    id?: number;
  } | {
    type: "leave";
    id?: number;
  } | {
    type: "name";
    seat: number;
    name: string;
    id?: number;
  } | {
    type: "chat";
    text: string;
    id?: number;
    name?: string | null;
  } | {
    type: "allow_chat";
    allowed: boolean;
    id?: number;
  } | {
    type: "rematch";
    id?: number;
  } | {
    type: "pause";
    paused: boolean;
    id?: number;
  } | {
    type: "pace";
    seconds: number;
    id?: number;
  } | {
    type: "step";
    id?: number;
  } | {
    type: "hint";
    id?: number;
  } | {
    type: "analyse";
    agent: string;
    id?: number;
    move?: number | null;
  } | {
    type: "stop_analysis";
    id?: number;
  } | {
    type: "chances";
    agent: string;
    id?: number;
  } | {
    type: "points";
    id?: number;
  } | {
    type: "play_on";
    move: number;
    seats: string[];
    id?: number;
  } | {
    type: "ping";
    id?: number;
  };
  type NewGame = {
    game: string;
    seats: string[];
    settings?: Record<string, any>;
    seed?: number;
    help?: boolean;
    clock?: Terms;
    names?: (string | null)[];
  } | {
    game: string;
    record: number;
  } | {
    game: string;
    upload: Record<string, any>;
  };
}
