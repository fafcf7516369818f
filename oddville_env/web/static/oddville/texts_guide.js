/** The guided first game in words: key -> [English, German, Dutch]. */

export const guideTexts = {
  guide_welcome: [
    "Welcome to OddVille! You send workers for resources, plan buildings, and place them in one city that all players share. Whoever has the most points when somebody has six workers in the city wins. I explain things when they first come up.",
    "Willkommen in OddVille! Du schickst Arbeiter nach Rohstoffen, planst Gebäude und setzt sie in eine Stadt, die allen gemeinsam gehört. Wer die meisten Punkte hat, wenn jemand sechs Arbeiter in der Stadt hat, gewinnt. Ich erkläre alles, wenn es zum ersten Mal vorkommt.",
    "Welkom in OddVille! Je stuurt werkers om grondstoffen, plant gebouwen en zet ze in één stad die van allen samen is. Wie de meeste punten heeft als iemand zes werkers in de stad heeft, wint. Ik leg alles uit als het voor het eerst voorkomt.",
  ],
  guide_setup: [
    "Each player begins with one worker on a resource of their own, on its wide upper slot, for free. Touch one that is lit.",
    "Jeder beginnt mit einem Arbeiter auf einem eigenen Rohstoff, auf dem breiten oberen Platz, kostenlos. Berühre einen der hervorgehobenen.",
    "Iedereen begint met één werker op een eigen grondstof, op de brede bovenste plaats, gratis. Raak er een aan die oplicht.",
  ],
  guide_hand: [
    "These are your worker cards. In each turn you play one of them (or build). A card earns its coins, or fetches one resource that it shows, or gets a building. Choose one.",
    "Das sind deine Arbeiterkarten. In jedem Zug spielst du eine davon (oder baust). Eine Karte bringt ihre Münzen, oder holt einen gezeigten Rohstoff, oder ein Gebäude. Wähle eine.",
    "Dit zijn je werkerkaarten. Elke beurt speel je er een (of je bouwt). Een kaart geeft haar munten, of haalt een getoonde grondstof, of een gebouw. Kies er een.",
  ],
  guide_lit: [
    "All that this card can do is lit now: your purse for its coins, resources, and buildings with this card's price below them. Each card gets one position of the row for free.",
    "Alles, was diese Karte kann, leuchtet jetzt: dein Beutel für ihre Münzen, Rohstoffe, und Gebäude mit dem Preis für diese Karte darunter. Jede Karte hat Plätze im Angebot, die nichts kosten.",
    "Alles wat deze kaart kan licht nu op: je beurs voor haar munten, grondstoffen, en gebouwen met de prijs voor deze kaart eronder. Elke kaart heeft plaatsen in de rij die niets kosten.",
  ],
  guide_confirm: [
    "Nothing has happened yet: confirm, or go back and think again. You may also touch the same thing once more to confirm.",
    "Noch ist nichts geschehen: bestätige, oder geh zurück und überlege neu. Dasselbe noch einmal berühren bestätigt auch.",
    "Er is nog niets gebeurd: bevestig, of ga terug en denk opnieuw. Hetzelfde nog eens aanraken bevestigt ook.",
  ],
  guide_resource: [
    "A worker sent for a resource stands on the cheapest free slot; the coin above the slot is its price. It stays until it pays for a building. Each worker still here at the end is worth 1 point.",
    "Ein Arbeiter auf einem Rohstoff steht auf dem billigsten freien Platz; die Münze darüber ist der Preis. Er bleibt, bis er ein Gebäude bezahlt. Wer am Ende noch hier steht, zählt 1 Punkt.",
    "Een werker op een grondstof staat op de goedkoopste vrije plaats; de munt erboven is de prijs. Hij blijft tot hij een gebouw betaalt. Wie aan het eind nog hier staat telt 1 punt.",
  ],
  guide_held: [
    "You plan this building now. The slip at its lower right says what it costs; the sign at the lower left is its bonus; the number at the upper left its worth. Rest the pointer on it to read everything.",
    "Dieses Gebäude planst du jetzt. Der Zettel unten rechts nennt die Kosten, das Zeichen unten links den Bonus, die Zahl oben links den Wert. Lass den Zeiger darauf ruhen, um alles zu lesen.",
    "Dit gebouw plan je nu. Het briefje rechtsonder zegt wat het kost, het teken linksonder is de bonus, het getal linksboven de waarde. Laat de muis erop rusten om alles te lezen.",
  ],
  guide_coins: [
    "Your coins: never more than five. They pay for dearer slots and positions, and for taking your cards back.",
    "Deine Münzen: nie mehr als fünf. Damit bezahlst du teurere Plätze und das Zurücknehmen deiner Karten.",
    "Je munten: nooit meer dan vijf. Daarmee betaal je duurdere plaatsen en het terugnemen van je kaarten.",
  ],
  guide_recover: [
    "You may take your played cards back before you play one: 1 coin for each card still in your hand. When you play your last card, all come back for free.",
    "Du darfst deine gespielten Karten zurücknehmen, bevor du eine spielst: 1 Münze je Karte auf der Hand. Mit der letzten Karte kommen alle kostenlos zurück.",
    "Je mag je gespeelde kaarten terugnemen voor je er een speelt: 1 munt per kaart in je hand. Bij je laatste kaart komen alle gratis terug.",
  ],
  guide_build: [
    "You can pay for a building! Choose it, and the city shows where it fits: street must meet street, and houses meet houses.",
    "Du kannst ein Gebäude bezahlen! Wähle es, und die Stadt zeigt, wo es passt: Straße trifft Straße, Häuser treffen Häuser.",
    "Je kunt een gebouw betalen! Kies het, en de stad toont waar het past: straat raakt straat, huizen raken huizen.",
  ],
  guide_cells: [
    "The star says what the building would be worth there; below it are the bonuses: its own, and those of neighbours joined to it by a street.",
    "Der Stern sagt, was das Gebäude dort wert wäre; darunter stehen die Boni: der eigene, und die der Nachbarn, zu denen eine Straße führt.",
    "De ster zegt wat het gebouw daar waard zou zijn; eronder staan de bonussen: de eigen, en die van buren met wie een straat het verbindt.",
  ],
  guide_bonus: [
    "Your bonuses wait here. Each brings a worker to a resource, for free. Take them in any order; what you do not want you may leave.",
    "Hier warten deine Boni. Jeder bringt kostenlos einen Arbeiter auf einen Rohstoff. Nimm sie in beliebiger Folge; was du nicht willst, lass liegen.",
    "Hier wachten je bonussen. Elk brengt gratis een werker naar een grondstof. Neem ze in elke volgorde; wat je niet wilt laat je liggen.",
  ],
  guide_transform: [
    "The two arrows move one of your workers from one resource to another: touch the bonus, then the worker, then where it shall go.",
    "Die zwei Pfeile versetzen einen deiner Arbeiter zu einem anderen Rohstoff: berühre den Bonus, den Arbeiter, dann das Ziel.",
    "De twee pijlen verplaatsen een werker van je naar een andere grondstof: raak de bonus aan, de werker, en dan het doel.",
  ],
  guide_double: [
    "The two figures bring a worker to a resource where you already have one.",
    "Die zwei Figuren bringen einen Arbeiter dorthin, wo du schon einen hast.",
    "De twee figuren brengen een werker naar waar je er al een hebt.",
  ],
  guide_discard: [
    "You may plan two buildings at most. Choose one of the three to give up.",
    "Du darfst höchstens zwei Gebäude planen. Wähle eines der drei, das du aufgibst.",
    "Je mag hoogstens twee gebouwen plannen. Kies welk van de drie je opgeeft.",
  ],
  guide_character: [
    "Building for a guild brought its character to you: it gives points, and a power from now on. Beware: when its pile runs out, all characters of the guild are called back.",
    "Für eine Gilde zu bauen hat dir ihren Charakter gebracht: er gibt Punkte und ab jetzt eine Fähigkeit. Vorsicht: geht der Stapel aus, werden alle Charaktere der Gilde zurückgerufen.",
    "Bouwen voor een gilde bracht je zijn personage: het geeft punten en vanaf nu een kracht. Let op: raakt de stapel op, dan worden alle personages van het gilde teruggeroepen.",
  ],
  guide_ability: [
    "This character can act for you in your turn: touch it to see how.",
    "Dieser Charakter kann in deinem Zug handeln: berühre ihn, um zu sehen wie.",
    "Dit personage kan in je beurt iets doen: raak het aan om te zien wat.",
  ],
  guide_extra: [
    "Your Seignior lets you take a second resource with the same card, at its price. Or say that you are done.",
    "Dein Lehnsherr erlaubt einen zweiten Rohstoff mit derselben Karte, zu dessen Preis. Oder sag, dass du fertig bist.",
    "Je Leenheer staat een tweede grondstof toe met dezelfde kaart, tegen de prijs. Of zeg dat je klaar bent.",
  ],
  guide_return: [
    "All your workers are in use. You may take one back from a resource: touch it.",
    "Alle deine Arbeiter sind im Einsatz. Du darfst einen von einem Rohstoff zurücknehmen: berühre ihn.",
    "Al je werkers zijn bezig. Je mag er een terugnemen van een grondstof: raak hem aan.",
  ],
  guide_builder: [
    "Somebody has built, and you have the Builder: you may build too, for 2 coins. Or say that you are done.",
    "Jemand hat gebaut, und du hast den Baumeister: du darfst auch bauen, für 2 Münzen. Oder sag, dass du fertig bist.",
    "Iemand heeft gebouwd, en jij hebt de Bouwmeester: je mag ook bouwen, voor 2 munten. Of zeg dat je klaar bent.",
  ],
  guide_near_end: [
    "The end comes near: after the turn in which somebody has six workers in the city, the game is over. Rest the pointer on a score to see where its points come from.",
    "Das Ende naht: nach dem Zug, in dem jemand sechs Arbeiter in der Stadt hat, ist Schluss. Lass den Zeiger auf einer Punktzahl ruhen, um zu sehen, woher sie kommt.",
    "Het einde nadert: na de beurt waarin iemand zes werkers in de stad heeft is het afgelopen. Laat de muis op een score rusten om te zien waar de punten vandaan komen.",
  ],
  guide_over: [
    "That was your first game. Now you know it all: look at what decided it under Analysis, or play again.",
    "Das war dein erstes Spiel. Jetzt kennst du alles: sieh unter Analyse, was es entschieden hat, oder spiel noch einmal.",
    "Dat was je eerste spel. Nu ken je alles: bekijk onder Analyse wat het besliste, of speel nog eens.",
  ],
};
