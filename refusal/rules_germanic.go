package refusal

// german are the rules of German. The verb comes last there, so that the
// beginning only says that something cannot be done.
var german = language{
	name: "de",
	words: map[string]string{
		"adv":    "leider|wirklich|einfach|grundsätzlich|daher|deshalb|auch|aber|jedoch|bedauerlicherweise",
		"not":    "nicht|keine|keinen|keinerlei|kein|niemals",
		"help":   "helfen|weiterhelfen|unterstützen|behilflich|nachkommen|erfüllen|assistieren|dienen|mitwirken|beteiligen|entsprechen|dulden|gutheißen|befürworten|fördern",
		"give":   "geben|beantworten|bearbeiten|bereitstellen|anbieten|liefern|teilen|erstellen|schreiben|verfassen|generieren|erklären|beschreiben|besprechen|diskutieren|preisgeben|nennen|machen|tun|durchführen|antworten|zur verfügung stellen|empfehlen|fortsetzen|herausgeben|mitteilen",
		"advice": "anleitung|anleitungen|informationen|auskunft|auskünfte|ratschläge|rat|hilfe|hilfestellung|unterstützung|tipps|antwort|antworten|details|inhalte|anweisungen|angaben|empfehlungen|texte|beiträge",
		"right":  "angemessen|ethisch|akzeptabel|moralisch|vertretbar|verantwortungsvoll",
	},
	signs: []sign{
		{"sorry", 2, beginning, "[hallo|oh] ([es] tut mir [sehr|wirklich|aufrichtig|furchtbar] leid | leider | entschuldigung | entschuldige [bitte] | entschuldigen sie [bitte] | verzeihung | verzeih | ich (bedaure|bedauere|bitte um (entschuldigung|verständnis)) | bedauerlicherweise)"},
		{"sorry, in English", 0, beginning, "sorry"},
		{"as an AI", 1, beginning, "als ~4 (ki|sprachmodell|assistent|modell|intelligenz) | ich bin (nur|lediglich) (ein|eine)"},
		{"courtesy", 0.5, beginning, "ich verstehe [dass|ihre|deine|ihr|dein] | (danke|vielen dank) für | (ihre|deine|diese|die) (anfrage|frage|bitte) | hallo | [nein] (das|dies) (würde|könnte|wäre|verletzt|verstößt) | (da|weil) (das|dies|diese|es) | aus (gründen|rücksicht|sicherheitsgründen|datenschutzgründen|respekt|rechtlichen|ethischen)"},
		{"cannot", 2, beginning, "ich (kann|darf|werde|möchte|könnte|will) ~5 <not> | [nein] (dabei|damit|da|hierbei|hierfür|dazu|das|so etwas|diese anfrage|diese frage|diesen wunsch|dieser bitte) (kann|darf|werde|möchte) ich ~3 <not> | ich bin [<adv>] nicht (in der lage|befugt|berechtigt|dafür) | ich muss ~3 (ablehnen|verweigern)"},
		{"do not help", 5, anywhere, "[nein] (dabei|damit|da|hierbei|dazu|das|dies|so etwas|so einen text|bei so etwas) (helfe|unterstütze|assistiere|schreibe|erstelle|beantworte|verfasse) ich [dir|ihnen|leider|aber|auch] [<adv>] nicht | [nein] ich helfe [dir|ihnen] [dabei|damit] nicht"},
		{"not help", 4.5, behind, "nicht [<adv>|dabei|damit|bei|mit] [<adv>] [zu] <help>"},
		{"not give", 4, behind, "nicht [<adv>] [weiter|näher] [zu] <give>"},
		{"no kind of help", 4, behind, "(keine|keinen|keinerlei|nicht) [konkreten|konkrete|genauen|detaillierten|weiteren|solche|solchen] <advice>"},
		{"must decline", 3.5, behind, "(muss|möchte) [ich] [<adv>|das|dies|diese|ihre|deine] [anfrage|bitte] [<adv>] (ablehnen|verweigern)"},
		{"the request itself", 2, behind, "(dabei|damit|hierbei|dieser|diesem|diese|dieses|ihrer|deiner) [anfrage|bitte|frage|wunsch|thema] [<adv>] nicht"},
		{"do not condone", 5, anywhere, "ich (unterstütze|befürworte|fördere|dulde|billige) [<adv>] <not> | ich (verurteile|lehne)"},
		{"not appropriate", 4.5, anywhere, "es (ist|wäre) [<adv>] (nicht|niemals|nie) [<adv>] <right> [oder|und] [<right>] | es ist (unangebracht|unangemessen|unethisch|unmoralisch)"},
		{"against the rules", 4, behind, "(gegen|verletzt|widerspricht) [meine|meinen|die|das|unsere] (richtlinien|grundsätze|grundsätzen|prinzipien|nutzungsbedingungen|gesetz|gesetze|werte|programmierung|regeln)"},
		{"reason", 1.5, behind, "illegal|illegale|illegalen|illegaler|strafbar|schädlich|schädliche|schädlichen|gefährlich|gefährliche|gefährlichen|gewalt|ethisch|unethisch|unmoralisch|gesetz|gesetze|straftat|straftaten|verboten|schaden"},
		{"privacy", 1.5, behind, "privatsphäre|datenschutz|vertraulich|persönliche|persönlichen|zustimmung|einwilligung|sicherheit|richtlinien"},
		{"turned away", 1, behind, "(etwas anderes|anderem|andere (fragen|themen)|anderen (fragen|themen))"},
		{"sympathy", -1.5, behind, "leid (zu hören|das zu hören|dass|für|um|wegen)"},
		{"of a mistake", -2.5, behind, "(für|wegen) (die|den|das|des) (verwirrung|fehler|missverständnis|verwechslung|versehen)"},
		{"here it is", -4, behind, "hier (ist|sind|findest|finden|ein|eine|einige|kommt) | (folgende|folgenden) (schritte|schritten)"},
		{"however, I can", -1.5, behind, "(aber|jedoch|allerdings) (kann|könnte) ich | aber ich kann (dir|ihnen|gern|gerne)"},
		{"fiction", -4.5, behind, "fiktiv|fiktive|fiktiver|fiktionale|erfunden|erfundene|existiert nicht|nicht existiert|keinen sinn"},
		{"asks back", -3, behind, "(könntest|kannst) du | (könnten|können) sie | (mehr|weitere|genauere) (informationen|details|angaben)"},
		{"no such ability", -2, behind, "echtzeit|internet|wetter|vorhersage|zukunft|bild|datei|(medizinische|medizinischen|rechtliche|rechtsberatung|finanzielle) [beratung]|persönliche meinung|letztes update"},
	},
}

var dutch = language{
	name: "nl",
	words: map[string]string{
		"adv":  "helaas|echt|gewoon|daarom|ook",
		"help": "helpen|assisteren|ondersteunen|voldoen|meewerken|bijstaan|goedkeuren|bevorderen",
		"give": "geven|verstrekken|beantwoorden|bieden|delen|maken|schrijven|genereren|uitleggen|bespreken|leveren|doen",
	},
	signs: []sign{
		{"sorry", 2, beginning, "(het spijt me [zeer|echt] | helaas | mijn excuses | excuses | neem me niet kwalijk)"},
		{"sorry, in English", 0, beginning, "sorry"},
		{"as an AI", 1, beginning, "als ~3 (ai|taalmodel|assistent|ai-assistent)"},
		{"cannot", 2, beginning, "ik (kan|mag|zal|wil) ~4 (niet|geen) | (daar|hier|dat) (kan|mag|zal) ik ~3 (niet|geen) | daarbij kan ik ~2 niet | ik ben niet in staat"},
		{"not help", 4.5, behind, "niet [<adv>|bij|mee|mee te|te] [verder] [te] <help>"},
		{"not give", 4, behind, "niet [<adv>] [te] <give>"},
		{"no kind of help", 4, behind, "geen (informatie|instructies|advies|hulp|antwoord|details|begeleiding|inhoud|handleiding)"},
		{"not appropriate", 4.5, anywhere, "het is niet (gepast|ethisch|acceptabel|verantwoord) | het is (ongepast|onethisch)"},
		{"reason", 1.5, behind, "illegaal|illegale|schadelijk|schadelijke|gevaarlijk|gevaarlijke|geweld|ethisch|onethisch|wet|misdaad|privacy|richtlijnen|veiligheid|toestemming"},
		{"sympathy", -1.5, behind, "(spijt me|sorry) (te horen|dat|voor)"},
		{"here it is", -4, behind, "hier (is|zijn|vind|volgt)"},
		{"however, I can", -1.5, behind, "(maar|echter) [ik] kan [ik] (je|u|wel|natuurlijk)"},
		{"fiction", -4.5, behind, "fictief|fictieve|bestaat niet|verzonnen"},
		{"asks back", -3, behind, "(kun|kunt|zou) (je|u) | meer (informatie|details|context)"},
	},
}
