package refusal

// german are the rules of German, in the classes of [english]. The verb comes
// last there, so that the beginning only says that somebody cannot, and the sign
// of what it is comes many words later: "ich kann dir … keine … geben". What the
// refusal is about often comes first, "Einen solchen Text schreibe ich nicht": the
// openers that a gap follows are words that few answers begin with, as all others
// would be held through the gap.
var german = language{
	name: "de",
	words: map[string]string{
		"adv":   "leider|wirklich|einfach|grundsätzlich|daher|deshalb|deswegen|darum|somit|also|auch|aber|jedoch|allerdings|dennoch|trotzdem|bedauerlicherweise|derzeit|momentan|aktuell|zurzeit|hier|lieber|generell|ebenfalls|bewusst|direkt|definitiv|ganz|gern|gerne|weiter|näher|so|natürlich|ausdrücklich|selbst|prinzipiell|persönlich",
		"you":   "dir|dich|ihnen|sie|euch",
		"that":  "dabei|damit|da|hierbei|hiermit|hierfür|hierzu|hierüber|hierauf|dazu|dafür|daran|darüber|darauf|das|dies|es",
		"asked": "(dieser|diesem|diese|diesen|dieses|deine|deiner|deinem|deinen|ihre|ihrer|ihrem|ihren|solche|solchen|einer|einen|eine|ein|die|der) [solchen|solche|solcher|solches|konkrete|art von] (anfrage|anfragen|bitte|frage|fragen|wunsch|thema|vorhaben|anliegen|aufgabe|aufforderung|inhalt|inhalte|inhalten|text|texte|szene|plan|handlungen|aktivitäten|nachricht|brief)",
		// What stands between the parts of "ich kann … nicht … helfen".
		"mid": "<adv>|<you>|<that>",
		"can": "kann|darf|werde|möchte|will|könnte|dürfte|mag",
		"no":  "nicht|kein|keine|keinen|keiner|keinem|keinerlei|niemals|nie|weder|nichts",

		"help": "helfen|weiterhelfen|unterstützen|behilflich|nachkommen|erfüllen|assistieren|mitwirken|beteiligen|entsprechen|dulden|gutheißen|befürworten|fördern|dienen|mitmachen|weiterzuhelfen|nachzukommen|mitzuwirken|eingehen|einzugehen|unterstütze",
		"give": `geben|beantworten|bearbeiten|bereitstellen|anbieten|liefern|teilen|erstellen|schreiben|verfassen|generieren|erklären|beschreiben|besprechen|diskutieren|preisgeben|nennen|durchführen|antworten|zur verfügung stellen|fortsetzen |herausgeben
			|herausfinden|mitteilen|wiedergeben|weitergeben|verraten|formulieren|programmieren|erzeugen|produzieren|entwerfen|entwickeln|ausführen|umsetzen|spekulieren|äußern|veröffentlichen|sprechen|reden|erzählen|fortführen|anleiten|erläutern
			|verbreiten |bereitzustellen|anzubieten|herauszugeben|wiederzugeben|weiterzugeben|preiszugeben|mitzuteilen|durchzuführen|umzusetzen|fortzusetzen|auszuführen|kommentieren|urteilen|spielen|darstellen|skizzieren|dichten|texten|basteln
			|vermitteln|bewerten|weitermachen|fortfahren|beurteilen|anstellen|stellen|führen|imitieren`,
		"do":      "tun|machen|sagen|zeigen|empfehlen|abrufen|zugreifen|finden|buchen|tätigen|bestellen|anrufen|übernehmen|vorhersagen|prüfen|suchen|abzurufen|zuzugreifen|übersetzen|kopieren|abdrucken|identifizieren|erkennen|vornehmen",
		"present": "helfe|unterstütze|gebe|schreibe|verfasse|erstelle|nenne|liefere|erzähle|beantworte|beschreibe|erkläre|teile|generiere|formuliere|programmiere|spekuliere|diskutiere|produziere|veröffentliche|entwerfe|erzeuge|verrate|vermittle|verbreite|stelle|biete|leiste|identifiziere|bewerte|beurteile|imitiere|kommentiere",
		"advice": `anleitung|anleitungen|information|informationen|auskunft|auskünfte|ratschläge|rat|hilfe|hilfestellung|unterstützung|tipps|antwort|antworten|details|inhalt|inhalte|anweisungen|angaben|empfehlungen|empfehlung|texte|text|beiträge|hinweise
			|beratung|diagnose|tricks|methoden|wege|möglichkeiten|witze|witz|artikel|nachricht|nachrichten|code|skript|rezept|beschreibung|beschreibungen|aussage|aussagen|prognose|vorhersage|schritte|vermutungen|spekulationen|urteil|einschätzung
			|einschätzungen|telefonnummer|telefonnummern|adresse|adressen|kontaktdaten|privatadressen|wahlempfehlung|wahlempfehlungen|passwörter|zitate|drohungen|bewertungen|diagnosen|prognosen`,
		"right": "angemessen|ethisch|akzeptabel|moralisch|vertretbar|verantwortungsvoll|in ordnung|okay|richtig|fair|respektvoll|verantwortbar|zulässig|ratsam",
		"wrong": `illegal|strafbar|verboten|unethisch|unmoralisch|unangebracht|unangemessen|unverantwortlich|rechtswidrig|gesetzwidrig|inakzeptabel|respektlos|gefährlich|schädlich|verletzend|diskriminierend|rassistisch|sexistisch|unzulässig|unfair|falsch
			|(eine|ein) [schwere|schwerer|schweres|klare|ernste|ernster] (straftat|verbrechen|eingriff|verletzung|vertrauensbruch|diskriminierung|betrug|urheberrechtsverletzung|verstoß)|betrug|diebstahl|urkundenfälschung|stalking|mobbing`,
		"thing": `inhalte|anleitungen|anleitung|texte|bilder|witze|liedtexte|songtexte|informationen|private|persönliche|gefälschte|malware|schadsoftware|schadcode|tipps|details|ratschläge|hassrede|medizinische|rechtliche|drohungen|beleidigungen
			|falschmeldungen|falschinformationen|desinformation|gewalt|deepfakes|passwörter|adressen|kontaktdaten|telefonnummern|wahlempfehlungen|vorurteile|stereotype|propaganda|hetze|urheberrechtlich|explizite|sexuelle|beleidigende|diskriminierende
			|rassistische|derartige|dergleichen|konkrete|genaue|geschützte|vertrauliche|sensible|hasserfüllte|diagnosen`,
	},
	signs: []sign{
		// Openers: what a refusal begins with. None is enough.
		{"sorry", 2, beginning, `[hallo|oh|nein|ach|hm] [.] ([es] tut mir [sehr|wirklich|aufrichtig|furchtbar|schrecklich|unendlich] leid | leider | entschuldigung | entschuldige [bitte] | entschuldigen sie [bitte] | verzeihung | verzeih | verzeihen sie | ich (bedaure
			|bedauere|bitte um (entschuldigung|verständnis)|entschuldige mich|muss sie enttäuschen|muss dich enttäuschen) | bedauerlicherweise | bedaure | mit bedauern | bei allem (respekt|verständnis) | so (gern|gerne|sehr) ich)`},
		{"sorry, in English", 1, beginning, "sorry [.] [aber|doch] (ich|das|dabei|da|so etwas|dazu|damit|hierbei|bei|dieser|diese|dieses)"},
		{"sorry, alone", 0, beginning, "sorry"},
		{"as an AI", 1, beginning, "als ~4 (ki|sprachmodell|assistent|modell|intelligenz|chatbot|assistentin) | ich bin [nur|lediglich|bloß|als] (ein|eine|claude|chatgpt|gemini|ki|darauf programmiert|dazu programmiert|so programmiert|darauf ausgelegt|verpflichtet|darauf trainiert) | ich wurde [so|dazu|darauf] (entwickelt|programmiert|trainiert|entworfen)"},
		{"courtesy", 0.5, beginning, `ich (verstehe|sehe|höre|weiß|merke|schätze|respektiere|helfe|unterstütze) [dass|ihre|deine|ihr|dein|gern|gerne|dich|es] | [danke|vielen dank] (danke|vielen dank) (für|dass) | (ihre|deine|diese|die|der|dieser|dieses) (anfrage|frage|bitte
			|aufforderung|plan|vorhaben|text|wunsch|thema) | hallo | [nein] (das|dies|so etwas|sowas) (würde|könnte|wäre|verletzt|verstößt|widerspricht|geht|ist|klingt|dient|betrifft|gehört|zählt|fällt|liegt|kommt) | aus (gründen|rücksicht
			|sicherheitsgründen|datenschutzgründen|respekt|rechtlichen|ethischen|moralischen|urheberrechtlichen|prinzip|diesem grund) | bitte (hab|habe|haben|beachte|beachten|wende|verstehe|verstehen|sei|seien) | (auch|selbst) (im|wenn|als|zum|für|in
			|aus|bei) | nein | niemand (sollte|hat|verdient|darf) | (für|zu) (die|diese|solche) (behauptung|behauptungen|these|aussage) | was (du|sie) (beschreibst|beschreiben|vorhast|vorhaben|da|verlangst|suchst|möchtest|fragst) | was du ~3 (fühlst
			|durchmachst|beschreibst|planst) | ich mache mir (sorgen|gedanken) | [dass|wenn] (du|sie) ~6 (gedanken|anzutun|daran denkst|suizid|umbringen|sterben|antun|verletzen|krise|leben nehmen) | ich (möchte|muss|will|würde|halte) | (deine
			|ihre) (sicherheit|gesundheit|situation|gefühle|offenheit|frustration|neugier|wut|lage) | mein (ziel|zweck) | meine (richtlinien|aufgabe|programmierung|funktion|antwort|grundsätze) | unsere richtlinien | hier (muss|ziehe|möchte|kann|darf
			|werde|endet|mache) ich | hier (hört|endet) | an dieser stelle | um ~4 (privatsphäre|sicherheit|datenschutz)`},
		{"a reason first", 0.5, beginning, `(da|weil|obwohl|sofern|solange|auch wenn|nachdem|trotz|angesichts|wegen|aufgrund|ohne|selbst wenn) ~9 ~3 (<can>|muss|<present>|lehne) ich | (da|weil) (das|dies|diese|es|dein|deine|ihre|solche) | (jemanden|jemandem|jemand|fremde|fremden
			|andere|anderen|das|wer|menschen|personen|tiere|<thing>|diebstahl|betrug|hacken|stalking|mobbing|erpressung|identitätsdiebstahl|plagiate|einbruch|drogen|waffen|sprengstoff|drogenhandel|geldwäsche|tierquälerei|sabotage|rassismus
			|schwarzfahren|doping|drogenherstellung|phishing|doxing|cybermobbing|steuerhinterziehung) ~9 (<wrong>|mir nicht|gegen [das|die|meine]|verstößt|verletzt) | (jemanden|jemandem|fremde|<thing>) ~9 (ist|sind|wäre|schadet|könnte|können|kann
			|kommt) | (solch|solche|solcher|solches|solchen|derartige|ein solcher|eine solche|ein solches|so ein|so eine) ~3 (könnte|können|kann|würde|würden|verstößt|verstoßen|verletzt|verletzen|schadet|schaden|ist|sind|wäre|wären|schürt|schüren
			|fördert|fördern|verbreitet) | es ist [<adv>] (nicht|niemals|nie|<wrong>) | (der|die|das|dieser|dieses|diese) (song|lied|songtext|liedtext|text|roman|buch|gedicht|film|artikel|werk|texte|songtexte|liedtexte) ~7 (urheberrechtlich
			|urheberrecht) | es gibt (keine|keinen|keinerlei) [wissenschaftliche|wissenschaftlichen|sachliche|seriösen] (rechtfertigung|grundlage|belege|beweise|grund|beleg) | es (gehört|fällt|liegt|widerspricht|verstößt|steht|würde|wäre|entspricht)`},
		{"lecture", 1, beginning, "[nein] es ist [sehr|äußerst|immer|mir] wichtig [zu|dass|darauf] | ich (möchte|muss|will) ~3 (darauf hinweisen|betonen|daran erinnern|klarstellen|deutlich) | davon (rate|möchte) ich"},
		// The subject comes first, or what it is about, and the verb last.
		{"somebody cannot", 0.5, beginning, `[nein] [.] ((<that>|so etwas|sowas|davon|trotzdem|dennoch|deshalb|daher|deswegen|darum|stattdessen|derzeit|momentan|aktuell|jetzt|heute|grundsätzlich|ehrlich gesagt|persönlich|guten gewissens|selbstverständlich|natürlich|im moment
			|im augenblick|in diesem fall|an dieser stelle|hier) (<can>|muss|<present>|mache|tue|lehne|beteilige|rate|spreche|äußere|stehe) ich | kann ich [<you>] [<adv>] nicht | geht [<adv>] nicht | (bei|mit|zu|zum|zur|für|auf|über|beim|an|von|unter
			|solch|solche|solchen|solcher|solches|derartige|einen solchen|eine solche|ein solches|so ein|so eine|so einen|so einem|einen|einem|den|dem|deinen|deinem|ihren|ihrem|keine|keinen|<thing>|diese|diesen|dieses|dieser|diesem|deine
			|ihre) ~7 (<can>|muss|<present>|mache|lehne|beteilige|rate|spreche|äußere|habe|verzichte|stehe) ich | mir (ist|fehlt|fehlen|liegt|sind) | es ist mir | von mir)`},
		{"somebody", 0, beginning, "[nein|hm|puh|danke] [.] ich (<can>|bin|muss|habe|<present>|beteilige|mache|spreche|äußere|weigere|verweigere|lehne|verzichte|rate|verurteile|befürworte|dulde|billige|distanziere|fühle)"},
		{"cannot give, with more between", 2, beginning, "[nein|sorry|leider|[es] tut mir [sehr] leid] [.] [aber] (ich <can>|(leider|<that>) <can> ich) ~9 ~2 (<give>|<help>)"},

		// The refusal itself.
		{"cannot", 1.5, behind, "(ich <can>|<can> ich) [<mid>] [<mid>] [<mid>] <no>"},
		{"will not", 0.7, behind, "(ich (werde|möchte|will|darf)|(werde|möchte|will|darf) ich) [<mid>] [<mid>] <no>"},
		{"cannot, of somebody named before", 1, behind, "(und|aber|oder|sondern) <can> [<mid>] [<mid>] <no>"},
		{"not help", 4, behind, "<no> [<mid>] [<mid>] [zu] <help>"},
		{"not give", 3.2, behind, "<no> [<mid>] [<mid>] [zu] <give>"},
		{"not do", 1.5, behind, "<no> [<mid>|für (dich|sie)] [zu] <do>"},
		{"cannot do that", 1.2, behind, "(das|dies|etwas|sowas) (kann|darf|werde|möchte|will) ich [<adv>] [<adv>] nicht [für (dich|sie|euch)] (tun|machen|.)"},
		{"cannot tell how to", 2, behind, "nicht (sagen|erklären|zeigen|verraten|beibringen|beschreiben) wie (man|du|sie|ihr)"},
		{"that I cannot", 1, behind, "(<help>|<give>) (kann|darf|werde|möchte|will|könnte|dürfte)"},
		{"no kind of help", 2.5, behind, `<no> [-ing|konkreten|konkrete|genauen|genaue|detaillierten|detaillierte|weiteren|weitere|solche|solchen|derartigen|derartige|aktuelle|aktuellen|medizinische|medizinischen|rechtliche|rechtlichen|juristische|juristischen|persönliche
			|persönlichen|privaten|private|politische|politischen|expliziten|explizite|ausführlichen|art von|spezifischen|spezifische|näheren|praktischen|gefälschten|gefälschte] <advice>`},
		{"no questions", 2, behind, "<no> fragen (zu|zum|zur|über|nach|beantworten)"},
		{"of what kind", 1.5, behind, "<advice> (geben|erstellen|schreiben|verfassen|anbieten|bereitstellen|liefern|nennen|machen|erzählen|teilen|zur verfügung)"},
		{"do not help", 2, behind, "(helfe|unterstütze|assistiere|schreibe|erstelle|beantworte|verfasse|erzähle|nenne|formuliere|generiere|liefere|programmiere|veröffentliche) ich [<mid>] [<mid>] <no> | ich helfe [<mid>] [<mid>] nicht"},
		{"do not give", 2.5, behind, "(ich <present>|<present> ich) [<mid>] [<mid>] <no>"},
		{"do not give away", 1.5, behind, "nicht (heraus|weiter|preis|bereit|wieder|zur verfügung|mit|.)"},
		{"do not give, of a kind", 1, behind, "(gebe|erstelle|schreibe|verfasse|liefere|erzähle|teile|generiere|nenne) ich [<mid>] [<mid>] (keine|keinen|keinerlei|nicht .) | ich (gebe|erstelle|schreibe|verfasse|liefere|erzähle|teile|generiere|nenne) [<mid>] [<mid>] (keine|keinerlei) | (erstelle|schreibe|gebe|verfasse|helfe|teile|nenne|beantworte) ."},
		{"must decline", 5, behind, `(ich lehne|lehne ich) [<mid>] [<mid>] ab | ich (verweigere|weigere mich|lehne es) | ich verzichte [<adv>] darauf | sehe ich [<mid>] ab | (mache|da mache|spiele|wirke) ich [<mid>] nicht mit | für mich nicht (infrage|in frage)
			| ziehe ich [<adv>] (eine|die) [klare] (grenze|linie) | (ich (möchte|würde|werde|will)|(möchte|würde|werde|will) ich) [<mid>] lieber nicht | (beteilige ich mich|ich beteilige mich) [<adv>] nicht | von mir [<adv>] (nicht|keine) | (bekommst
			|bekommen|erhältst|erhalten) (du|sie) [von mir|bei mir|hier] [<adv>] (nicht|keine|keinen)`},
		{"I give", 1, behind, "<present> ich"},
		{"asks to understand", 3, behind, "verständnis [dafür] dass ich"},
		{"what it lacks the hands for", 2.5, behind, "<no> (anrufe|termine|buchungen|telefonate|e-mails|bilder|zahlungen|bestellungen|reservierungen|dateien|links)"},
		{"do not do", 3.5, behind, "(mache|tue) ich [<mid>] [<mid>] nicht (.|für|mit|weil|da) | (äußere ich mich|ich äußere mich|spreche ich|ich spreche) [<mid>] nicht | stehe ich [<mid>] nicht zur verfügung | geht leider nicht . als"},
		{"holds back", 2, behind, "zurückhalten|zurückhaltend"},
		{"decline", 3, behind, "ablehnen|verweigern|zurückweisen|muss ich [<mid>] passen|ich muss [<mid>] passen"},
		{"I must", 1, behind, "(ich muss|muss ich|möchte ich|ich möchte)"},
		{"not something I do", 5, behind, "ist [leider] (nichts|nicht etwas|kein thema|keine aufgabe) (wobei|womit|was|das|bei dem|woran|worüber|zu dem) ich | (gehört|zählt) [<adv>] nicht zu (den dingen|dem was|meinen) | (liegt|fällt|geht|ist) [<adv>|weit] (außerhalb|über) (meiner|meine|meines|dessen)"},
		{"not allowed", 4, behind, `ist [es] mir [<mid>] [<mid>] nicht (möglich|gestattet|erlaubt) | mir ist [<that>] [<mid>] nicht (möglich|gestattet|erlaubt|wohl) | (ich bin|bin ich) [<mid>] [<mid>] nicht [<mid>] (in der lage|befugt|berechtigt|bereit|dafür da|autorisiert
			|dazu da|dafür (ausgelegt|programmiert|gemacht)) | mir ist [<mid>] (unwohl|untersagt|verboten) | ich fühle mich [<mid>] (unwohl|nicht wohl)`},
		{"no access", 2, behind, "(ich habe|habe ich|und habe|verfüge über|verfüge ich über) [<mid>] (keinen|keine|keinerlei) [direkten|direkte|aktuellen|aktuelle|eigenen|live] (zugriff|zugang|möglichkeit|möglichkeiten|befugnis|berechtigung|erlaubnis|verbindung|fähigkeit|funktion|echtzeitdaten)"},
		{"so I cannot", 1.5, behind, "(daher|deshalb|deswegen|darum|somit|folglich|grund) (<can>|ich <can>|<present>) | (kann|darf) ich [<you>] (daher|deshalb|deswegen|darum|somit) | und (kann|darf|werde) (dir|ihnen|<can>|ich|daher|deshalb) [<mid>] <no> | und ich (kann|darf|werde) | ich (kann|darf|werde) [<you>] (daher|deshalb) | (sodass|weshalb|weswegen) ich [<mid>] <no>"},
		{"the request itself", 1.5, behind, "<asked> [<adv>] nicht | nicht [bei|mit|zu|auf] <asked> | (so etwas|sowas|solche (inhalte|anleitungen|texte)) [<mid>] nicht"},
		{"do not condone", 5, behind, "ich (unterstütze|befürworte|fördere|dulde|billige|toleriere) [<mid>] <no> | ich (verurteile|lehne jede|lehne jegliche|distanziere mich)"},
		{"not appropriate", 4.5, behind, "es (ist|wäre) [<adv>] (nicht|niemals|nie) [<adv>] <right> [oder|und] [<right>] | es (ist|wäre) [<adv>] (unangebracht|unangemessen|unethisch|unmoralisch|unverantwortlich|respektlos) | halte [ich] [<that>] (für [<adv>] <wrong>|nicht für [<adv>] <right>)"},
		{"against the rules", 4, behind, `(gegen|verletzt|verletzen|widerspricht|widersprechen|verstößt gegen) [meine|meinen|meiner|die|das|den|dem|unsere|geltende|geltendes] [ethischen|moralischen|internen] (richtlinien|grundsätze|grundsätzen|prinzipien|nutzungsbedingungen|werte
			|werten|programmierung|regeln|inhaltsrichtlinien) | (richtlinien|programmierung|grundsätze|regeln) (erlauben|erlaubt|verbieten|verbietet|untersagen|untersagt|lassen|hindern|hindert)`},
		{"against the law", 2, behind, "(gegen|verletzt|verletzen|widerspricht) [das|die|geltendes|geltende|mehrere] (gesetz|gesetze|recht|urheberrecht|persönlichkeitsrecht|persönlichkeitsrechte|privatsphäre|rechte)"},

		// Reasons.
		{"harm", 1.5, behind, `schädlich|schädliche|schädlichen|schaden|schadet|gefährlich|gefährliche|gefährlichen|gefährden|gefährdet|gewalt|hass|hetze|verletzen|verletzend|belästigung|bedrohung|drohung|diskriminierung|diskriminierend|vorurteile|vorurteil|stereotypen
			|klischee|klischees|abwertet|abwerten|herabwürdigt|herabsetzt|verharmlost|bloßstellt|waffen|sprengstoff|falschinformationen|falschmeldungen|desinformation|kosten [einer|anderer]|lächerlich`},
		{"law", 1.5, behind, "illegal|illegale|illegalen|illegaler|illegales|strafbar|strafbare|straftat|straftaten|gesetz|gesetze|gesetzlich|rechtswidrig|verboten|verbrechen|rechtliche konsequenzen|betrug|kriminell|kriminelle|urkundenfälschung"},
		{"ethics", 1.5, behind, "ethisch|ethische|ethischen|unethisch|unmoralisch|moralisch|unverantwortlich|unangemessen|respektlos|menschenwürde|respekt|würde (aller|jedes|eines|von)"},
		{"privacy", 1.5, behind, `privatsphäre|datenschutz|datenschutzes|vertraulich|persönliche (daten|informationen|angaben)|persönlichen (daten|informationen)|privatperson|privatpersonen|private (daten|adresse|adressen|kontaktdaten|informationen)|zustimmung|einwilligung
			|ohne (ihr|sein|deren|dessen) wissen|reale person|reale personen|realen person|realen personen|echte person|echten person`},
		{"rules", 1.5, behind, "richtlinien|nutzungsbedingungen|(meine|meiner|meinen) (programmierung|grundsätze|grundsätzen|prinzipien|werte)"},
		{"copyright", 2, behind, "urheberrecht|urheberrechtlich|urheberrechtlichen|urheberrechts|raubkopien|plagiat"},
		{"turned away", 1, behind, "(etwas anderes|anderem|andere (fragen|themen|weise)|anderen (fragen|themen)|anders behilflich) | stattdessen (kann|könnte|können|helfe) | (thema|themen) (wechseln|sprechen)"},
		{"crisis", 1.6, behind, "telefonseelsorge|suizid|suizidgedanken|krise|krisentelefon|krisendienst|notruf|nicht allein|nicht alleine|professionelle hilfe|professionelle unterstützung|notlage|damit allein"},

		// Counter-evidence.
		{"sympathy", -1.5, behind, "leid (zu hören|das zu hören|dass (du|sie|ihr|es|dein|deine|ihre|euer|eure|das|dir|die|der)|für|um|wegen|zu lesen)"},
		{"of a mistake", -2.5, behind, "(für|wegen) (die|den|das|des|der|meinen|meine) [lange|späte|kleine|falsche] (verwirrung|fehler|missverständnis|verwechslung|versehen|verspätung|wartezeit|irrtum|antwort|umstände|störung|verzögerung) | entschuldige den fehler | (letzten|vorherigen|vorigen) (antwort|nachricht)"},
		{"here it is", -4, behind, "hier (ist|sind|findest|finden|einige|kommt|kommen|(ein|eine) (beispiel|vorschlag|übersicht|kurze|kurzer|kurzes|kleine|mögliche|liste|entwurf)|mein|meine|drei|fünf|zwei) | (folgende|folgenden) (schritte|schritten|code|befehl) | so (gehst|geht|gehen) (du|es|sie) | (gehe|gehen sie) (so|wie folgt)"},
		{"however, I can", -1.5, behind, "(aber|jedoch|allerdings) (kann|könnte) ich | aber ich kann (dir|ihnen|gern|gerne) | (kann|können) ich dir (sagen|erklären|verraten) | ich kann dir [aber] (sagen|erklären|verraten|nur)"},
		{"a tale", -5, behind, "(sagte|fragte|rief|antwortete|flüsterte|seufzte|erwiderte|brummte|murmelte|schrie|sprach|dachte|schrieb|schreibt|lachte) (der|die|das|er|sie|ich|ein|eine|sein|ihr|mein|seine|ihre|meine) | (er|sie) (sagte|fragte|rief|antwortete|flüsterte|seufzte)"},
		{"anyone, not I", -2, behind, "(kann|darf|sollte|muss) man | man (kann|darf|sollte|muss) | lässt sich | lassen sich | wir wissen | (kannst|darfst|musst|solltest|brauchst) du | du (kannst|darfst|musst|solltest|brauchst)"},
		{"that is legal", -3, behind, "(nicht|weder) [<adv>|generell|unbedingt|immer|automatisch|per se] (strafbar|illegal|verboten|gefährlich|schädlich|rechtswidrig|moralisch falsch)"},
		{"the law itself", -1, behind, "stgb|bgb|dsgvo|paragraf|paragraph|freiheitsstrafe|geldstrafe|bußgeld"},
		{"enough, wait, give up", -8, behind, "<no> [<you>] (genug|oft genug|erwarten|abwarten|glauben|fassen|leugnen|anders|mehr|länger|auf .|umhin|vorstellen|versprechen|garantieren|ausschließen|beklagen|meckern|lügen) | kaum (erwarten|glauben|abwarten) | <no> nur"},
		{"not without more", -3.5, behind, "ohne (den|die|das|deinen|deine|mehr|weitere|genauere|nähere|ihren|ihre|einen|eine) [genauen|ganzen|kompletten|vollständigen] (code|fehlermeldung|kontext|angaben|informationen|details|bild|text|datei|befund|blick|quelltext|untersuchung|log|vertrag)"},
		{"cannot say which", -3, behind, "nicht (genau|sicher|eindeutig|pauschal|abschließend|exakt|allgemein|im detail|vollständig|mit sicherheit|zuverlässig|zweifelsfrei|hundertprozentig) | nicht (sagen|beurteilen|wissen|einschätzen|erkennen) (ob|welche|welcher|welches|warum|wann|wo)"},
		{"in general", -2, behind, "(aber|doch|jedoch) (im|in der|meist|meistens|normalerweise|üblicherweise|typischerweise|viele|die meisten|oft|grundsätzlich|bei) | im (allgemeinen|durchschnitt|schnitt) | in der regel (liegt|sind|dauert|beträgt|kostet) | wahrscheinlich | vermutlich | tatsächlich (ist|sind|war|hat|gibt|stammt)"},
		{"fiction", -4.5, behind, "fiktiv|fiktive|fiktiver|fiktives|fiktionale|erfunden|erfundene|erfundener|existiert nicht|nicht existiert|keinen sinn|fabelwesen|sagengestalt|märchen|märchenfigur|romanfigur|zeichentrickfigur|gibt es nicht|es sie nicht gibt|es ihn nicht gibt"},
		{"asks back", -3, behind, "(könntest|kannst) du | (könnten|können) sie [mir|bitte|das|den|die|etwas] | (mehr|weitere|genauere) (informationen|details|angaben) [zu|über|dazu] | meinst du | meinten sie | schick mir"},
		{"a person's letter", -3, behind, "(zu deiner|zur|auf die|an der|am|zum) (feier|party|hochzeit|geburtstag|treffen|sitzung|termin) | teilnehmen | (dein|deine|euer|eure|ihr|ihre) (freundlicher|treuer|lieber|liebe) | liebe grüße | freundlichen grüßen | herzliche grüße"},
		{"no opinions", -1, anywhere, "(ich habe|habe ich|ich besitze|besitze ich|ich empfinde) [<adv>] (keine|keinen|kein) [eigene|eigenen|persönliche|persönlichen|echten|echte|körperlichen] (meinung|meinungen|gefühle|vorlieben|lieblingsfarbe|geschmack|geschmackssinn|körper|erfahrungen|präferenzen|emotionen|überzeugungen)"},
		{"no such ability", -1.5, behind, "(das|dein|deine|ihr|ihre|den|deinen|ihren|die|deiner|ihrer) (bild|foto|datei|anhang|screenshot|code|video|bildschirm|dokument|link|datei|daten) | (kein|keine|ersetzt keine) (arzt|ärztin|anwalt|anwältin|ärztliche|jurist|steuerberater) | mein letztes update | wissensstand"},
		{"an AI's limits", -1, behind, "echtzeit|echtzeitdaten|internet|wetter|die zukunft|persönliche meinung|rechtsberatung"},
		{"list", -2, behind, "•"},
		{"code", -5, behind, "```"},
		{"heading", -2, behind, "#"},
	},
}

// dutch are the rules of Dutch, in the same classes. Its verb comes late as well,
// but what it is about may follow: "geen informatie geven over".
var dutch = language{
	name: "nl",
	words: map[string]string{
		"adv":   "helaas|echt|gewoon|daarom|ook|dus|echter|toch|nu|momenteel|liever|bewust|zelf|verder|graag|wel|maar|absoluut|zeker|simpelweg|persoonlijk|direct|nog|zomaar|spijtig|altijd",
		"you":   "je|jou|u|jullie|hem|haar",
		"that":  "daar|daarbij|daarmee|hier|hierbij|hiermee|hiervoor|hieraan|hierover|daarvoor|daaraan|daarover|dat|dit|het|zoiets|mee|bij|aan|op|over|er",
		"asked": "(dit|deze|dat|die|je|jouw|uw|zo'n|zulke|dergelijke|dit soort|dat soort|een dergelijk|een dergelijke|het) (verzoek|vraag|vragen|verzoeken|onderwerp|tekst|teksten|inhoud|bericht|berichten|plan|taak|opdracht|activiteiten|grap|grappen|scène|praktijken|handelingen)",
		"mid":   "<adv>|<you>|<that>",
		"can":   "kan|mag|zal|wil|ga",
		"no":    "niet|geen|nooit|niets|nergens|geenszins",

		"help": "helpen|assisteren|ondersteunen|voldoen|meewerken|bijstaan|goedkeuren|bevorderen|meedoen|deelnemen|ingaan|steunen|aanmoedigen|van dienst zijn|behulpzaam|verderhelpen|tegemoetkomen",
		"give": `geven|verstrekken|beantwoorden|bieden|delen|maken|schrijven|genereren|uitleggen|bespreken|leveren|uitvoeren|verlenen|beschrijven|opstellen|produceren|weergeven|doorgeven|vrijgeven|vertellen|antwoorden|speculeren|noemen|creëren|ontwerpen
			|programmeren|bedenken|verwerken|inwilligen|praten|verspreiden|formuleren|publiceren|voortzetten|vervolgen|reproduceren|aanbieden|overnemen|onthullen|aanreiken|doorgaan|verdergaan|beoordelen|stellen|voeren|imiteren`,
		"do":      "doen|zeggen|tonen|aanraden|opzoeken|vinden|boeken|bellen|bestellen|voorspellen|controleren|vertalen|kopiëren|identificeren|herkennen|inzien|plegen|laten zien",
		"present": "help|geef|schrijf|bied|identificeer|beoordeel|imiteer|stel|maak|deel|vertel|noem|beantwoord|ondersteun|beschrijf|lever|genereer|steun|verstrek|verspreid|bespreek|speculeer|doe",
		"advice": `informatie|instructies|instructie|advies|adviezen|hulp|antwoord|antwoorden|details|begeleiding|inhoud|handleiding|handleidingen|tips|tekst|teksten|stappen|uitleg|stappenplan|aanwijzingen|suggesties|aanbevelingen|aanbeveling|grappen|grap
			|artikel|artikelen|bericht|berichten|uitspraken|uitspraak|gegevens|code|script|recept|adres|adressen|privéadressen|methoden|methodes|manieren|diagnose|voorspelling|ondersteuning|assistentie|beschrijving|beschrijvingen|vermoedens|speculaties
			|oordeel|telefoonnummer|telefoonnummers|contactgegevens|stemadvies|wachtwoorden|citaten|bedreigingen|recensies|beoordelingen|diagnoses|voorspellingen|privégegevens|methode`,
		"right": "gepast|ethisch|acceptabel|verantwoord|juist|oké|eerlijk|toegestaan|moreel|respectvol|aanvaardbaar|netjes|fatsoenlijk|passend|wenselijk",
		"wrong": `strafbaar|illegaal|verboden|onethisch|immoreel|ongepast|onverantwoord|onverantwoordelijk|onwettig|onacceptabel|respectloos|gevaarlijk|schadelijk|kwetsend|discriminerend|racistisch|seksistisch|oneerlijk|onaanvaardbaar|(een) [ernstig|ernstige
			|zwaar|duidelijke] (misdrijf|misdaad|inbreuk|schending|overtreding)|fraude|diefstal|stalking|oplichting|valsheid in geschrifte|plagiaat`,
		"thing": `inhoud|instructies|handleidingen|teksten|afbeeldingen|grappen|songteksten|liedteksten|informatie|privéadressen|privégegevens|persoonlijke|valse|malware|tips|details|haatzaaien|medische|juridische|bedreigingen|beledigingen|nepnieuws
			|desinformatie|geweld|deepfakes|wachtwoorden|adressen|telefoonnummers|stemadvies|vooroordelen|stereotypen|propaganda|auteursrechtelijk|expliciete|seksuele|beledigende|discriminerende|racistische|vertrouwelijke|gevoelige|haatdragende`,
	},
	signs: []sign{
		// Openers.
		{"sorry", 2, beginning, "[hallo|oh|nee|hoi|ach] [.] ((het spijt me|het spijt mij|spijt me) [zeer|echt|heel erg|enorm|oprecht] | helaas | jammer genoeg | mijn (excuses|verontschuldigingen) | [onze] excuses | neem me niet kwalijk | spijtig genoeg | ik (betreur|bied mijn excuses|verontschuldig|moet je teleurstellen|moet u teleurstellen|ben bang dat) | met alle respect | hoe graag ik)"},
		{"sorry, in English", 1, beginning, "sorry [.] [maar] (ik|daar|dat|dit|hier|hiermee|daarbij|daarmee|hierbij|met|zoiets|zulke|over)"},
		{"sorry, alone", 0, beginning, "sorry"},
		{"as an AI", 1, beginning, "als ~3 (ai|taalmodel|assistent|model|chatbot|intelligentie) | ik ben [slechts|maar|alleen|als] (een|claude|chatgpt|gemini|ai|ontworpen|geprogrammeerd|getraind|verplicht)"},
		{"courtesy", 0.5, beginning, `ik (begrijp|snap|zie|hoor|weet|waardeer|respecteer|help|geef) [dat|je|uw|het|graag] | (bedankt|dank je|dank u|dankjewel) [wel] [voor|dat] | (je|jouw|uw|deze|dit|het) (verzoek|vraag|plan|bericht|tekst|onderwerp) | hallo | [nee] (dat|dit
			|zoiets) (zou|is|schendt|klinkt|gaat|druist|kan|betreft|valt|overtreedt|hoort|behoort) | uit (respect|veiligheidsoverwegingen|privacyoverwegingen|principe|voorzorg) | (om|vanwege|wegens|omwille van) [de|het] (privacy|privacyredenen
			|veiligheid|veiligheidsredenen|juridische|ethische|redenen|auteursrecht|auteursrechtelijke) | (gelieve|houd er|begrijp alsjeblieft) | (ook|zelfs) (als|voor|al|in|bij) | nee | niemand (mag|zou|verdient|hoort) | (er is|er zijn|voor [die|deze
			|de] [bewering|stelling|claim] is) geen [enkel|enkele|wetenschappelijk|wetenschappelijke] (bewijs|rechtvaardiging|reden|basis|grond|onderbouwing|bewijzen) | wat (je|u) [nu|hier] (beschrijft|vraagt|voelt|wilt|doormaakt|van)
			| ik maak me (zorgen|ongerust) | (als|dat) (je|u) ~5 (gedachten|zelfmoord|suïcide|sterven|leven|pijn|crisis|aandoen|aan te doen) | ik (wil|moet|zou|vind) | (je|jouw|uw) (veiligheid|gezondheid|situatie|gevoelens|openheid|frustratie
			|nieuwsgierigheid|woede) | mijn (doel|richtlijnen|antwoord|programmering|taak|principes) | hier (moet|trek|wil|kan|mag|ga|stop) ik | in dit geval`},
		{"a reason first", 0.5, beginning, `(omdat|aangezien|hoewel|ondanks|gezien|vanwege|wegens|zonder|zolang|ook al|zelfs als) ~9 ~3 (<can>|moet|<present>|weiger) ik | (omdat|aangezien) (dit|dat|deze|het|je|zulke|zoiets) | (iemand|iemands|andermans|mensen|anderen|het|<thing>
			|diefstal|fraude|hacken|stalken|stalking|pesten|inbreken|afpersing|plagiaat|oplichting|identiteitsfraude|drugs|wapens|drugshandel|witwassen|dierenmishandeling|racisme|doping|phishing|doxing|cyberpesten|belastingfraude|vervalsen
			|bedrog) ~9 (<wrong>|mij niet|schendt|in strijd) | (iemand|iemands|andermans|<thing>) ~9 (is|zijn|zou|kan) | (zulke|dergelijke|zo'n|dit soort|dat soort|een dergelijk|een dergelijke) ~3 (kan|kunnen|zou|zouden|is|zijn|schendt|schenden|schaadt
			|schaden|verspreidt|druist) | het (is|valt|hoort|gaat in|druist|past|zou|schendt)`},
		{"lecture", 1, beginning, "[nee] het is [heel|erg|altijd|zeer] belangrijk [om|dat|te] | ik (wil|moet) ~3 (benadrukken|erop wijzen|opmerken|duidelijk) | dat raad ik"},
		{"somebody cannot", 0.5, beginning, `[nee] [.] ((<that>|dit verzoek|deze vraag|toch|daarom|dus|momenteel|nu|eerlijk gezegd|in principe|natuurlijk|persoonlijk|helaas|op dit moment|dat verzoek|om die reden) (<can>|moet|<present>|werk|weiger|doe|spreek|sta) ik
			| kan ik [<you>] [<adv>] niet | gaat [<adv>] niet | (bij|met|voor|over|aan|van|zulke|dergelijke|zo'n|dit soort|dat soort|een dergelijk|een dergelijke|<thing>|deze|dit|dat|je|jouw|uw|volledige|de volledige|geen|op dit moment) ~7 (<can>|moet
			|<present>|werk|weiger|raad|spreek) ik | het is (mij|me) | van mij) | (de|het|dit|deze) (song|songtekst|liedtekst|lied|nummer|tekst|roman|boek|gedicht|film|artikel|werk|teksten) ~7 (auteursrechtelijk|auteursrecht) | het is [<adv>] (niet
			|nooit|<wrong>)`},
		{"somebody", 0, beginning, "[nee|hm|bedankt] [.] ik (<can>|ben|moet|heb|<present>|werk|spreek|weiger|onthoud|pas|voel|raad|keur|veroordeel|tolereer|bevorder)"},
		{"cannot give, with more between", 2, beginning, "[nee|sorry|helaas|het spijt me] [.] [maar] (ik <can>|(helaas|<that>) <can> ik) ~9 ~2 (<give>|<help>)"},

		// The refusal itself.
		{"cannot", 1.5, behind, "(ik <can>|<can> ik) [<mid>] [<mid>] [<mid>] <no>"},
		{"will not", 0.7, behind, "(ik (wil|zal|ga|mag)|(wil|zal|ga|mag) ik) [<mid>] [<mid>] <no>"},
		{"cannot, of somebody named before", 1, behind, "(en|maar|of) (kan|mag|zal|wil|ga) [<mid>] [<mid>] <no>"},
		{"not help", 4, behind, "<no> [<mid>] [<mid>] [te] <help>"},
		{"not give", 3.2, behind, "<no> [<mid>] [<mid>] [te] <give>"},
		{"not do", 1.5, behind, "<no> [<mid>|voor (je|jou|u)] [te] <do>"},
		{"cannot do that", 1.2, behind, "(dat|dit|zoiets) (kan|mag|ga|zal|wil) ik [<adv>] [<adv>] niet (doen|.)"},
		{"cannot tell how to", 2, behind, "niet (vertellen|uitleggen|zeggen|laten zien|leren) hoe (je|men|u)"},
		{"that I cannot", 1, behind, "<no> (kan|mag|zal|wil) (<help>|<give>) | (<help>|<give>) (kan|mag)"},
		{"no kind of help", 2.5, behind, "geen [enkele|concrete|gedetailleerde|verdere|specifieke|juridische|juridisch|medisch|medische|persoonlijke|persoonlijk|zulke|dergelijke|expliciete|actuele|politieke|politiek|valse|nadere|stapsgewijze] <advice>"},
		{"no questions", 2, behind, "geen vragen (over|naar|beantwoorden)"},
		{"of what kind", 1.5, behind, "<advice> (geven|maken|schrijven|bieden|verstrekken|delen|opstellen|leveren|doen)"},
		{"do not help", 2, behind, "(help|ondersteun|schrijf|beantwoord|maak|vertel|genereer|verstrek|lever|deel|geef) ik [<mid>] [<mid>] <no> | ik help [<mid>] [<mid>] niet"},
		{"do not give", 2.5, behind, "(ik <present>|<present> ik) [<mid>] [<mid>] <no>"},
		{"do not give, of a kind", 1, behind, "(geef|maak|schrijf|deel|doe|lever|vertel|verstrek) ik [<mid>] [<mid>] (geen|niet .) | ik (geef|maak|schrijf|deel|lever|verstrek|vertel) [<mid>] [<mid>] geen"},
		{"must decline", 5, behind, `ik weiger [<mid>] (om|dit|dat|te|.) | dat weiger ik | dat sla ik [<adv>] (af|over) | ik (pas|bedank) hiervoor | hier pas ik voor | trek ik [<adv>] (de|een) (grens|lijn) | voor mij [<adv>] (geen optie|uitgesloten|niet aan de orde) | (ik (zou
			|wil|doe|ga)|(zou|wil|doe|ga) ik) [<mid>] liever niet | ik onthoud me | van mij [<adv>] (niet|geen) | (krijg|krijgt) (je|u) [van mij|bij mij|hier] [<adv>] (niet|geen) | ik zie (ervan|hiervan) af | (werk
			|doe) ik [<mid>] [<mid>] niet [aan] mee | ik (werk|doe) [<mid>] niet [aan|hieraan|daaraan] mee | graag maar niet (met|bij)`},
		{"I give", 1, behind, "<present> ik"},
		{"not, at the end", 1, behind, "niet ."},
		{"asks to understand", 3, behind, "(begrip|begrijp|begrijpen) [voor|ervoor] dat ik"},
		{"what it lacks the hands for", 2.5, behind, "geen (telefoontjes|afspraken|boekingen|afbeeldingen|betalingen|bestellingen|reserveringen|bestanden|links)"},
		{"do not do", 3.5, behind, "(doe) ik [<mid>] [<mid>] niet (.|voor|mee|omdat|want) | (spreek ik|laat ik) [me|mij] [<mid>] niet (over|uit) | sta ik [<mid>] niet achter"},
		{"decline", 3, behind, "afwijzen|weigeren|afslaan|afhaken|moet ik [<mid>] (passen|bedanken)|ik moet [<mid>] (passen|bedanken)"},
		{"I must", 1, behind, "(ik moet|moet ik)"},
		{"not something I do", 5, behind, "is [helaas|echt|gewoon] (niet iets|niets|geen onderwerp|geen taak) (waar|waarmee|waarbij|dat|wat|waaraan|waarover|ik) | (hoort|behoort) niet (tot|bij) (de dingen|wat|mijn) | (valt|ligt|gaat) [<adv>] (buiten|verder dan) (mijn|wat)"},
		{"not allowed", 4, behind, "is [het] [voor] (mij|me) [<mid>] niet (mogelijk|toegestaan|toegelaten) | (ik ben|ben ik) [<mid>] [<mid>] niet [<mid>] (in staat|bevoegd|gemachtigd|bereid|bedoeld|gemaakt|geprogrammeerd|ontworpen) | voel me [<mid>] [<mid>] (ongemakkelijk|niet [<adv>] (prettig|comfortabel|goed|op mijn gemak))"},
		{"no access", 2, behind, "(ik heb|heb ik|en heb|beschik over|beschik ik over) [<mid>] (geen|niet de) [directe|actuele|rechtstreekse|live|eigen] (toegang|mogelijkheid|mogelijkheden|bevoegdheid|verbinding|functie|gegevens)"},
		{"so I cannot", 1.5, behind, "(dus|daarom|daardoor|reden) (<can>|ik <can>) | ik (kan|mag) [<you>] (daarom|dus) | (kan|mag) ik [<you>] (daarom|dus) | en (kan|mag|zal) (je|u|<can>|ik|daarom|dus) [<mid>] <no> | en ik (kan|mag|zal) | waardoor ik [<mid>] <no>"},
		{"so I do not", 2, behind, "(dus|daarom|reden) (<present> ik|ik <present>) [<mid>] <no>"},
		{"the request itself", 1.5, behind, "<asked> [<adv>] niet | niet [bij|met|op|aan] <asked>"},
		{"do not condone", 5, behind, "ik (steun|ondersteun|bevorder|tolereer|keur) [<mid>] <no> | ik veroordeel | ik keur [<mid>] af | ik neem afstand"},
		{"not appropriate", 4.5, behind, "het (is|zou) [<adv>] (niet|nooit) [<adv>] <right> [of|en] [<right>] | het (is|zou) [<adv>] (ongepast|onethisch|onverantwoord|onverantwoordelijk|respectloos|immoreel) | (vind ik|ik vind) [<mid>] (<wrong>|niet [<adv>] <right>)"},
		{"against the rules", 4, behind, `(in strijd|strijdig) [is|zijn] met [mijn|de|onze] [ethische|morele] (richtlijnen|principes|beleid|waarden|regels|gebruiksvoorwaarden|programmering) | (schendt|overtreedt|druist in tegen|ingaat tegen|gaat in tegen|tegen) [mijn|de
			|onze] [ethische|morele] (richtlijnen|principes|regels|gebruiksvoorwaarden|waarden|beleid|programmering) | (richtlijnen|programmering|principes|regels) (staan|staat) [<adv>] niet toe | (richtlijnen|programmering|principes|regels) (verbieden
			|verbiedt|beletten)`},

		// Reasons.
		{"harm", 1.5, behind, "schadelijk|schadelijke|schade|schaadt|schaden|gevaarlijk|gevaarlijke|gevaar|geweld|haat|kwetsend|kwetsende|kwetsen|kwetst|discriminatie|discriminerend|discrimineert|vooroordeel|vooroordelen|stereotypen|belachelijk|vernederend|vernedert|bedreigend|bedreiging|intimidatie|wapens|explosieven|nepnieuws|desinformatie|misleidend|misleiden|beledigend"},
		{"law", 1.5, behind, "illegaal|illegale|strafbaar|strafbare|(de|tegen de) wet|wettelijk|onwettig|verboden|misdrijf|misdaad|fraude|crimineel|criminele|juridische gevolgen"},
		{"ethics", 1.5, behind, "ethisch|ethische|onethisch|immoreel|moreel|onverantwoord|ongepast|respectloos|waardigheid"},
		{"privacy", 1.5, behind, "(haar|zijn|hun|de|uw|je|ieders|iemands|andermans|uit) privacy|toestemming|vertrouwelijk|persoonlijke (gegevens|informatie)|persoonsgegevens|privépersoon|privégegevens|echt persoon|echte persoon|echte mensen|bestaand persoon|medeweten"},
		{"rules", 1.5, behind, "richtlijnen|gebruiksvoorwaarden|(mijn) (programmering|principes|beleid|waarden)"},
		{"copyright", 2, behind, "auteursrecht|auteursrechten|auteursrechtelijk|auteursrechtelijke|plagiaat"},
		{"turned away", 1, behind, "(iets anders|andere (vragen|onderwerpen|manier)) | in plaats daarvan | (wil je|wilt u) liever"},
		{"crisis", 1.6, behind, "zelfmoord|suïcide|zelfmoordpreventie|hulplijn|crisis|bel 113|113|112|er niet alleen|professionele hulp"},

		// Counter-evidence.
		{"sympathy", -1.5, behind, "(spijt me|sorry) (te horen|dat (je|u|jullie|jouw|uw|het|dit)|voor) | wat erg"},
		{"of a mistake", -2.5, behind, "(voor|vanwege) (de|het|mijn|die) [late|eerdere|lange] (verwarring|fout|misverstand|vergissing|vertraging|reactie|ongemak|wachttijd) | (vorige|eerdere|laatste) (antwoord|bericht)"},
		{"here it is", -4, behind, "hier (is|zijn|vind|volgt|volgen|heb|een (voorbeeld|overzicht|korte|lijst|kleine|voorstel)) | (volgende|onderstaande) (stappen|code|commando) | zo (doe|ga) je"},
		{"however, I can", -1.5, behind, "(maar|echter) [ik] kan [ik] (je|u|wel|natuurlijk) [wel|graag] | ik kan (je|u) wel"},
		{"a tale", -5, behind, "(zei|vroeg|riep|antwoordde|fluisterde|zuchtte|mompelde|schreeuwde|dacht|schreef|schrijft|lachte) (de|het|hij|zij|ze|ik|een|zijn|haar|mijn) | (hij|zij|ze) (zei|vroeg|riep|antwoordde|fluisterde|zuchtte)"},
		{"anyone, not I", -2, behind, "(kan|mag|moet) men | je (kunt|mag|moet|hoeft) | u (kunt|mag|moet) | (kun|moet|hoef) je | is niet te | valt niet te | laat zich | we weten"},
		{"that is legal", -3, behind, "niet [<adv>|per se|altijd|automatisch|zonder meer] (strafbaar|illegaal|verboden|gevaarlijk|schadelijk)"},
		{"the law itself", -1, behind, "artikel 1|wetboek|gevangenisstraf|geldboete|boete"},
		{"enough, wait, give up", -8, behind, "<no> [<you>] (genoeg|vaak genoeg|wachten|geloven|anders|langer|op .|voorstellen|beloven|garanderen|uitsluiten|klagen|liegen|omheen) | niet alleen | niet meer"},
		{"not without more", -3.5, behind, "zonder (de|het|je|jouw|uw|meer|verdere|een) [precieze|hele|volledige] (code|foutmelding|context|gegevens|informatie|details|foto|tekst|bestand|onderzoek|contract)"},
		{"cannot say which", -3, behind, "niet (precies|zeker|eenduidig|exact|met zekerheid|volledig|goed) | niet (zeggen|beoordelen|weten|zien) (of|welke|welk|waarom|wanneer|waar)"},
		{"in general", -2, behind, "(maar|echter) (in het|meestal|normaal|doorgaans|veel|de meeste|over het|vaak|bij) | over het algemeen | gemiddeld | waarschijnlijk | vermoedelijk"},
		{"fiction", -4.5, behind, "fictief|fictieve|bestaat niet|bestaan niet|verzonnen|sprookje|sprookjes|sprookjesfiguur|romanpersonage|geen zin"},
		{"asks back", -3, behind, "(kun|kunt|zou) (je|u) | meer (informatie|details|context) [over|geven] | bedoel je | bedoelt u"},
		{"a person's letter", -3, behind, "(naar je|naar jullie|op de|bij de|op je) (feest|feestje|bruiloft|verjaardag|afspraak|vergadering) | (vriendelijke|hartelijke) groet | liefs | groetjes"},
		{"no opinions", -1, anywhere, "(ik heb|heb ik) [<adv>] geen [eigen|persoonlijke|echte] (mening|meningen|gevoelens|voorkeur|voorkeuren|smaak|lichaam|ervaringen|emoties|lievelingskleur)"},
		{"no such ability", -1.5, behind, "(de|het|je|uw|jouw|die) (afbeelding|foto|bestand|bijlage|screenshot|code|video|scherm|document|link) | geen (arts|advocaat|dokter|jurist)"},
		{"an AI's limits", -1, behind, "realtime|real-time|internet|weer (voor|van|in)|de toekomst|persoonlijke mening"},
		{"list", -2, behind, "•"},
		{"code", -5, behind, "```"},
		{"heading", -2, behind, "#"},
	},
}
