// Printed by `python -m oddville_env.web.messages.page_types`: what page and server say to each other.

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
  type Drawing = {
    box: number[];
    svg: string;
    text: string;
  };
  type Step = {
    text: string;
    depth: number;
    kind: string;
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
  type Move = {
    word: string;
    path: string[];
    parts: any;
    text: string;
    scores: number[];
    coins: number[] | null;
    worth?: number;
    bonuses?: string[];
    favour?: string;
    pays?: Record<string, number>;
    slot?: string;
    price?: number;
    drawing?: string;
    then?: {
      spot: string;
      word: string;
    }[];
    goes?: {
      building: string;
      lot: number;
    }[];
    comes?: {
      building: string;
      lot: number;
    }[];
    stands?: {
      building: string;
      lot: number;
    }[];
    why?: Step[];
  };
  type Moves = {
    kind: string;
    rule: string | null;
    moves: Move[];
  };
  type Event = {
    event: string;
    from: string;
    to: string;
    drawing?: string;
    seat?: number;
    number?: number;
    worker?: number;
    in_hand?: boolean;
    card?: number;
    character?: string;
    building?: string;
  };
  type Sitting = {
    seat: number;
    name: string;
    person: string | null;
    kind: "human" | "agent";
    agent: string | null;
    wins: number;
    mine: boolean;
    here: boolean;
    status: "waiting" | "to_move" | "thinking" | "failed" | "away" | "left";
    since: number;
    message: string;
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
  type Entry = {
    move: number;
    seat: number;
    word: string;
    text: string;
    scores: number[];
    events: Event[];
  };
  type Asked = {
    what: "undo";
    seats: number[];
    move: number;
    waits: number[];
  };
  type Terms = {
    total: number;
    increment: number;
  };
  type Clock = {
    total: number;
    increment: number;
    left: (number | null)[];
    runs: number | null;
    ended: number[];
    agent: string;
  };
  type Line = {
    seat: number | null;
    name: string | null;
    text: string;
    when: number;
  };
  type Candidate = {
    word: string;
    text: string;
    share: number;
    visits: number | null;
    values: number[] | null;
    line: string[];
    played: boolean;
  };
  type Turn = {
    move: number;
    seat: number;
    word: string;
    change: number;
    better: string | null;
  };
  type Hello = {
    type: "hello";
    protocol: number;
    id: string;
    game: string;
    title: string;
    role: "host" | "seat" | "watch";
    mine: number[];
    players: number;
    replay: boolean;
    settings: Record<string, any>;
    help: boolean;
    links: {
      watch: string;
      seats: (string | null)[];
    } | null;
  };
  type State = {
    type: "state";
    reason: "enter" | "move" | "undo" | "go" | "seats";
    word: string | null;
    by: number | null;
    played_next: string | null;
    moves: number;
    shown: number;
    newest: boolean;
    view: number | null;
    over: boolean;
    to_move: number | null;
    position: any;
    table: any;
    score: Points[];
    outcome: Outcome | null;
    headline: string;
    prompt: string;
    notice: string;
    legal: Moves[];
    events: Event[];
    seats: Sitting[];
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
    covered: number | null;
    asks: Asked | null;
    clock: Clock | null;
    practice: boolean;
    chat: boolean;
    rematch: {
      id: string;
      key: string;
    } | null;
    saved: boolean;
    paused: boolean;
    pace: number;
    drawings: Record<string, Drawing>;
    picture?: string | null;
  };
  type Analysis = {
    type: "analysis";
    id: number | null;
    purpose: "analyse" | "hint";
    agent: string;
    move: number;
    seat: number;
    final: boolean;
    iterations: number | null;
    seconds: number;
    candidates: Candidate[];
    heat: Record<string, {
      share: number;
      value: number | null;
    }>;
  };
  type Chances = {
    type: "chances";
    id: number | null;
    agent: string;
    from: number;
    values: (number[] | null)[];
    final: boolean;
    turns: Turn[];
  };
  type Problem = {
    type: "error";
    id: number | null;
    code: string;
    why: string;
    values: Record<string, any>;
    message: string;
  };
  type Told = Hello | State | Analysis | Chances | {
    type: "points";
    id: number | null;
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
