"""The messages of the server as JSON schemas, by which tests check them and the page's types are printed."""

from oddville_env.web.messages.protocol import BRANCHES, FLAG, TERMS, Schema, object_of

Fields = dict[str, Schema]


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _one_of(words: str) -> Schema:
    return {"enum": words.split()}


def _by_name(values: Schema) -> Schema:
    """An object whose fields are named by data."""
    return {"type": "object", "additionalProperties": values}


def _of(schema: Schema, names: str = "", **texts: str) -> Fields:
    """Fields of one kind: some by their names alone, others with what they mean."""
    told = {name: {**schema, "description": text} for name, text in texts.items()}
    return dict.fromkeys(names.split(), schema) | told


def _object(text: str, *fields: Fields, optional: Fields | None = None) -> Schema:
    """An object with these fields; text: what it is, where its name does not say it."""
    schema = object_of({name: field for each in fields for name, field in each.items()}, optional)
    return {**schema, "description": text} if text else schema


ANYTHING: Schema = {}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
REAL: Schema = {"type": "number"}
NO_NUMBER: Schema = {"type": ["integer", "null"]}
NO_TEXT: Schema = {"type": ["string", "null"]}
TEXTS, NUMBERS, SHARES = _list(TEXT), _list(NUMBER), _list(REAL)

KEYS = _object("", _of(TEXT, "host watch"), _of(_list(NO_TEXT), "seats"))
MADE = _object("", _of(TEXT, "id game"), _of(KEYS, "keys"))
DRAWING = _object(
    "The inside of an SVG with this view box.",
    _of(SHARES, "box"),
    _of(TEXT, "svg", text="for tooltips and screen readers, in English"),
)
BUILDING_LOTS = _list(_object("", _of(TEXT, "building"), _of(NUMBER, "lot")))
STEP = _object(
    "",
    _of(TEXT, "text kind"),
    _of(NUMBER, "depth"),
    _of(NO_NUMBER, "card"),
    _of(TEXTS, "buildings others"),
    _of(NUMBERS, "lots"),
    _of(_list(TEXTS), "owns"),
    _of(_list(_object("", _of(TEXT, "building"), _of(NUMBERS, "lots"))), "left"),
)
MOVE = _object(
    "A legal move, with its effects after resampling what is unknown.",
    _of(TEXT, "word text"),
    _of(TEXTS, path="the spots to touch, in order; empty: a button"),
    _of(ANYTHING, "parts"),
    _of(NUMBERS, scores="the change for every seat, as `coins`"),
    _of(_or_null(NUMBERS), "coins"),
    optional=_of(NUMBER, "price", worth="the building's own value there")
    | _of(TEXTS, bonuses="what it grants, in any order")
    | _of(TEXT, favour="the guild whose top character comes", slot="where the worker goes")
    | _of(TEXT, drawing="what is laid or gained")
    | _of(_by_name(NUMBER), "pays")
    | _of(_list(_object("", _of(TEXT, "spot word"))), then="words that may follow at once, each by one spot more")
    | _of(BUILDING_LOTS, goes="tokens taken away", comes="tokens put", stands="buildings fixed")
    | _of(_list(STEP), why="the steps by which a person would see it"),
)
MOVES = _object("", _of(TEXT, "kind"), _of(NO_TEXT, "rule"), _of(_list(MOVE), "moves"))
EVENT = _object(
    "One thing that moves between two spots.",
    _of(TEXT, "event from to"),
    optional=_of(TEXT, "drawing character building") | _of(NUMBER, "seat number worker card") | _of(FLAG, "in_hand"),
)
SITTING = _object(
    "A seat and its player.",
    _of(TEXT, "name", message="why the agent failed"),
    _of(NO_TEXT, "agent", person="the person's name; plain text"),
    _of(NUMBER, "seat", wins="games won, of those that the same people played in a row"),
    _of(FLAG, "mine here"),
    _of(_one_of("human agent"), "kind"),
    _of(_one_of("waiting to_move thinking failed away left"), "status"),
    _of(REAL, since="seconds in this status"),
)
SOURCES = _or_null(_list(_object("", _of(TEXT, "source"), _of(NUMBER, "points"))))
POINTS = _object("", _of(NUMBER, "points"), _of(SOURCES, "sources"))
OUTCOME = _object(
    "", _of(NUMBERS, "scores ranks winners"), _of(NO_NUMBER, "trigger"), _of(FLAG, "truncated"), _of(NO_TEXT, "end")
)
ENTRY = _object(
    "A line of the list of moves.",
    _of(NUMBER, "move seat"),
    _of(TEXT, "word text"),
    _of(NUMBERS, scores="after the move"),
    _of(_list(EVENT), events="what it moved, without drawings"),
)
ASKED = _object(
    "A wish to go back to the position after `move` moves.",
    _of(_one_of("undo"), "what"),
    _of(NUMBERS, "seats", waits="the seats that have not agreed"),
    _of(NUMBER, "move"),
)
CLOCK = _object(
    "The clock at the time of the message.",
    _of(NUMBER, "total increment"),
    _of(_list({"type": ["number", "null"]}), left="seconds by seat; null for agents"),
    _of(NO_NUMBER, runs="the seat whose time runs"),
    _of(NUMBERS, ended="the seats whose time is over"),
    _of(TEXT, agent="the agent that continues for them"),
)
RIGHTS = "move undo agree seat replace pause analyse chances hint record play_on chat rematch"
LINE = _object(
    "A line of the chat; `seat` is null for spectators.",
    _of(NO_NUMBER, "seat"),
    _of(NO_TEXT, "name"),
    _of(TEXT, "text"),
    _of(REAL, when="seconds since 1970"),
)
CANDIDATE = _object(
    "A move that an agent considers.",
    _of(TEXT, "word text"),
    _of(REAL, "share"),
    _of(NO_NUMBER, "visits"),
    _of(_or_null(SHARES), values="every seat's win chance after it"),
    _of(TEXTS, "line"),
    _of(FLAG, "played"),
)
BRANCH = _object(
    "A move in the tree of a search.",
    _of(TEXT, "word"),
    _of(NO_TEXT, spot="the last spot that it touches", drawing="what it brings there"),
    _of(NO_NUMBER, parent="the index in `tree` of the move before it; null at the root"),
    _of(NUMBER, "visits", seat="to move"),
    _of(REAL, value="the chance of `seat` to win after it", prior="the share expected before any visit"),
)
TURN = _object(
    "A mistake: a move that cost its seat win chances.",
    _of(NUMBER, "move seat"),
    _of(TEXT, "word"),
    _of(REAL, change="of the seat's chance, against the agent's own choice: a mean of several analyses, below 0"),
    _of(_or_null(REAL), standard_error="of `change`; null where it is of one analysis"),
    _of(NO_TEXT, better="the agent's own choice; null: the same move"),
)
DIFFERENCE = _object(
    "A decision at which two agents choose different moves.",
    _of(NUMBER, move="the number of the move that was played", seat="the seat that made it"),
    _of(TEXT, "one other"),
    _of(_or_null(REAL), cost="what `other` costs in win chances as the first agent sees it", other_cost="the reverse"),
)


def _sent(kind: str, text: str, *fields: Fields, optional: Fields | None = None) -> Schema:
    return _object(text, {"type": {"const": kind}}, *fields, optional=optional)


_MESSAGES = [
    _sent(
        "hello",
        "The first message after connecting.",
        _of(NUMBER, "protocol players"),
        _of(TEXT, "id game title"),
        _of(_one_of("host seat watch"), "role"),
        _of(NUMBERS, mine="the seats that this key plays"),
        _of(FLAG, "replay help"),
        _of(_by_name(ANYTHING), "settings"),
        _of(
            _or_null(_object("", _of(TEXT, "watch"), _of(_list(NO_TEXT), "seats"))),
            links="the host's keys to give away; null where a seat is an agent's, or its browser has come",
        ),
    ),
    _sent(
        "state",
        "The whole table, after every change of anything.",
        _of(_one_of("enter move undo go seats"), reason="what changed; `seats`: only seats, pause or pace"),
        _of(NO_TEXT, word="the move that led to the shown position", played_next="the next move of a replay"),
        _of(NUMBER, moves="the number of moves played"),
        _of(NUMBER, shown="the number of moves after which the shown position is"),
        _of(NO_NUMBER, "to_move", by="the seat that played `word`"),
        _of(NO_NUMBER, view="the seat whose view this is; null: what every browser may see"),
        _of(NO_NUMBER, covered="the seat whose hand waits here for its player"),
        _of(FLAG, "over paused", newest="shown == moves", chat="the host has not switched the chat off"),
        _of(FLAG, practice="a player has seen more than a player may"),
        _of(FLAG, saved="false where the disk refused the game; it is tried again"),
        _of(ANYTHING, position="the law's position format, as the view may see it"),
        _of(ANYTHING, table="what stands where, by spots and drawings; null for a game without a scene"),
        _of(_list(POINTS), "score"),
        _of(_or_null(OUTCOME), "outcome"),
        _of(TEXT, "headline prompt notice"),
        _of(_list(MOVES), legal="by kind in the law's order; empty unless this key is to move, or in replays"),
        _of(_list(EVENT), events="what the move moved; only for `move`, and for `go` one step forward"),
        _of(_list(SITTING), "seats"),
        _of(
            _object("", _of(NUMBER, "from"), _of(_list(ENTRY), "entries")),
            list="`entries` replace the list of moves from place `from` on",
        ),
        _of(_object("", _of(FLAG, RIGHTS)), "may"),
        _of(_or_null(ASKED), asks="a player's wish to take back"),
        _of(_or_null(CLOCK), "clock"),
        _of(
            _or_null(_object("", _of(TEXT, "id key"))),
            rematch="the next game of the same people, and this browser's key to it",
        ),
        _of(REAL, "pace"),
        _of(_by_name(DRAWING), drawings="those that this connection has not been sent before"),
        optional=_of(NO_TEXT, picture="the whole table as an SVG, where `table` is null"),
    ),
    _sent(
        "analysis",
        "An agent's analysis, in one or more messages; `final` is the last one.",
        _of(NO_NUMBER, "id iterations"),
        _of(_one_of("analyse hint"), "purpose"),
        _of(TEXT, "agent"),
        _of(NUMBER, "move seat"),
        _of(FLAG, "final"),
        _of(REAL, "seconds"),
        _of(_list(CANDIDATE), "candidates"),
        _of(
            _by_name(_object("", _of(REAL, "share"), _of(_or_null(REAL), "value"))),
            heat="by spot: the shares of all candidates that touch it, and the seat's best value there",
        ),
        _of({**_list(BRANCH), "maxItems": BRANCHES}, tree="the most visited moves; empty without a tree"),
    ),
    _sent(
        "chances",
        "Win chances in parts, until `final`.",
        _of(NO_NUMBER, "id"),
        _of(TEXT, "agent"),
        _of(NUMBER, "from"),
        _of(_list(_or_null(SHARES)), values="every seat's chance after `from + k` moves; null: not valued"),
        _of(FLAG, "final"),
        _of(_list(TURN), turns="in the final part: the mistakes of all seats, the worst first"),
    ),
    _sent(
        "compared",
        "Answers `compare` in parts, until `final`.",
        _of(NO_NUMBER, "id"),
        _of(_list(TEXT), "agents"),
        _of(NUMBER, decisions="those with several legal moves so far", same="those where both choose the same move"),
        _of(FLAG, "final"),
        _of(_list(DIFFERENCE), differing="the decisions where they differ most"),
    ),
    _sent(
        "points",
        "Answers `points`.",
        _of(NO_NUMBER, "id"),
        _of(_list(_list(NUMBERS)), values="(moves, seats, sources), in the order of the game's `sources`"),
    ),
    _sent("chat", "New lines of the chat. The last 100 lines are kept with the game.", _of(_list(LINE), "lines")),
    _sent("made", "Answers `play_on`.", _of(NO_NUMBER, "id"), _of(MADE, "game")),
    _sent("pong", "Answers `ping`.", _of(NO_NUMBER, "id")),
    _sent(
        "error",
        "A refusal of message `id`, or a warning (null).",
        _of(NO_NUMBER, "id"),
        _of(TEXT, "code", why="which sentence it is, for other languages", message="the sentence in English"),
        _of(_by_name(ANYTHING), values="the values in the sentence"),
    ),
]
SENT = {schema["properties"]["type"]["const"]: schema for schema in _MESSAGES}
"""The messages over the WebSocket, by type. Tables and positions are each game's own."""

NAMED = {
    "Made": MADE,
    "Drawing": DRAWING,
    "Step": STEP,
    "Move": MOVE,
    "Moves": MOVES,
    "Event": EVENT,
    "Sitting": SITTING,
    "Points": POINTS,
    "Outcome": OUTCOME,
    "Entry": ENTRY,
    "Asked": ASKED,
    "Terms": TERMS,
    "Clock": CLOCK,
    "Line": LINE,
    "Candidate": CANDIDATE,
    "Branch": BRANCH,
    "Turn": TURN,
    "Difference": DIFFERENCE,
    "Hello": SENT["hello"],
    "State": SENT["state"],
    "Analysis": SENT["analysis"],
    "Chances": SENT["chances"],
    "Compared": SENT["compared"],
    "Problem": SENT["error"],
}
"""Parts that have a name in the page's types."""
