package refusal

var french = language{
	name: "fr",
	words: map[string]string{
		"adv": "malheureusement|hélas|vraiment|simplement|donc|également|absolument|moralement|légalement|éthiquement|toutefois|cependant|ainsi|personnellement|sincèrement|actuellement|certainement|évidemment|franchement|directement|décemment|clairement|ici|strictement|respectueusement|aussi",
		"you": "vous|t|te|y|en|le|la|l|les|lui|leur|m|me",
		"ne":  "je [<adv>] (ne|n) [<you>]",
		"may": "peux|puis|pourrai|pourrais|saurais|saurai",

		// What a refuser says instead of "peux". Each alternative ends in a word, so
		// that all lead to one place of the machine.
		"cannot": `<ne> <may> [<adv>|en aucun cas] pas | <ne> <may> [<adv>] jamais | <ne> <may> en aucun cas | <ne> <may> ni | <ne> saurais | je ne (peux|puis|pourrai) (vous|te|t) | je peux pas
			| (et|mais|ou|donc) (ne|n) [<you>] <may> [<adv>] pas
			| je (ne|n) suis [<adv>] pas [<adv>] <able> de | je (ne|n) suis [<adv>] pas [<adv>] <able> d | je (ne|n) suis [<adv>] pas [<adv>] <able> à | je (ne|n) suis [<adv>] pas [<adv>] <able> pour
			| (ni|et pas) (la capacité|la possibilité|le moyen) de | il (m est|me sera|me serait|est) [<adv>] impossible de | il (m est|me sera|me serait|est) [<adv>] impossible d [vous|te] | il (ne m est|n est) [<adv>] pas [<adv>] possible de | il ne m est [<adv>] pas [<adv>] possible d
			| je suis [<adv>] dans l (impossibilité|incapacité) de | je suis [<adv>] (dans l impossibilité|incapable) d | je suis incapable de
			| je n ai [<adv>] pas <means> de | je n ai [<adv>] pas <means> d | je n ai [<adv>] pas <means> à | il m est interdit de | de ne pas pouvoir | impossible pour moi de | <unwilling>`,
		"able":  "en mesure|capable|autorisé|autorisée|habilité|programmé|programmée|conçu|conçue|là|censé|censée|en position|disposé|disposée|prêt|prête",
		"means": "la possibilité|la capacité|les moyens|le droit|l autorisation|vocation|pour (rôle|mission|but|vocation|fonction)",
		"unwilling": `<ne> <wish> [<adv>] pas | (et|mais) ne <wish> [<adv>] pas | je [<adv>] (préfère|préférerais|choisis de) [<adv>] ne pas | je préfère [<adv>] (m abstenir|éviter) de
			| je [<adv>] <refuse> de | je [<adv>] <refuse> d | <must> <decline> de | <must> <decline> d`,
		"wish":    "vais|veux|souhaite|désire|compte",
		"refuse":  "refuse|décline|m abstiens|m abstiendrai",
		"must":    "je [<adv>] (dois|vais|vais devoir|me dois de|me vois contraint de|suis (obligé|obligée|contraint|contrainte|tenu) de|préfère) [<adv>]",
		"decline": "refuser|décliner|m abstenir",

		"help": "aider|assister|épauler|donner suite|cautionner|encourager|promouvoir|soutenir|participer|prendre part|accompagner|prêter (assistance|main)|apporter [mon|mon soutien à] aide|apporter [d|une|mon] (aide|assistance)|contribuer|collaborer|faciliter|conformer|engager|satisfaire|inciter|rendre ce service",
		"give": "fournir|donner|répondre|offrir|partager|divulguer|communiquer|révéler|transmettre|discuter|aborder|conseiller|recommander|commenter|prononcer|exprimer|spéculer|prendre (parti|position)|traiter|enseigner|justifier|orienter|guider|dévoiler|proposer",
		"make": `écrire|rédiger|créer|générer|produire|composer|élaborer|concevoir|développer|expliquer|décrire|détailler|indiquer|suggérer|exécuter|effectuer|réaliser|traduire|publier|reproduire|copier|citer|identifier|reconnaître|imiter|incarner|jouer|simuler|insulter|juger|classer|prédire|réserver|payer|commander
			|envoyer|appeler|passer (des|d|un|une) (appel|appels|commande)|dessiner|fabriquer|inventer|me faire passer|moquer|émettre|formuler|établir|prescrire|diagnostiquer|retranscrire|transcrire|imaginer (de|un|une)|modifier|pirater|entrer dans (ce|cette)`,
		"do":   "faire|dire|parler|montrer|répéter|continuer|poursuivre|plaisanter|raconter",
		"find": "accéder|consulter|voir|ouvrir|lire|entendre|vérifier|trouver|chercher|rechercher|naviguer|localiser|connaître|connecter|suivre|obtenir|récupérer|visualiser",
		"will": "aiderai|assisterai|participerai|contribuerai|encouragerai|cautionnerai|soutiendrai|donnerai|fournirai|répondrai|partagerai|divulguerai|communiquerai|révélerai|transmettrai|aborderai|commenterai|conseillerai|écrirai|rédigerai|créerai|générerai|produirai|expliquerai|décrirai|détaillerai|indiquerai|proposerai|traduirai|publierai|reproduirai|identifierai|jouerai|donnerai suite|entrerai dans|prendrai (part|parti|position)",
		"does": "aide|assiste|fournis|génère|crée|rédige|écris|produis|divulgue|partage|communique|donne|participe|réponds|identifie|commente",

		"this":   "cela|ça|ceci|ce|cet|cette|ces|votre|vos|ta|ton|tes|telle|tel|de (tels|telles)|une telle|un tel",
		"asked":  "demande|requête|question|sujet|type|genre|tâche|contenu|projet|démarche",
		"advice": "informations|information|instructions|conseils|aide|assistance|réponse|détails|contenu|contenus|indications|recommandations|méthode|méthodes|techniques|mode d emploi",
		"proper": "approprié|éthique|moral|responsable|respectueux",
		"wrong":  "inapproprié|inacceptable|immoral|irresponsable|malhonnête|contraire à (l éthique|la morale|mes principes)",

		// Deeds that are spoken of before they are refused, and what is said of them.
		"deed": `(falsifier|pirater|voler|harceler|menacer|espionner|surveiller|usurper|frauder|tricher|intimider|humilier|diffamer|droguer|empoisonner|contourner|publier|diffuser|divulguer|accéder|fabriquer|enregistrer|utiliser|créer|produire|écrire|rédiger|partager|inciter|tromper|manipuler|acheter|vendre|installer|entrer|forcer|copier|détourner|se (faire passer|procurer|venger|moquer)|le fait de)
			| [le|la|l|les|un|une|du] (vol|fraude|falsification|harcèlement|piratage|chantage|extorsion|usurpation|plagiat|contrefaçon|diffamation|discrimination|recel|escroquerie|corruption|blanchiment|faux|fausse|violence|haine|cyberharcèlement|menaces|violences|insultes|arnaques|injures|contrefaçons)`,
		"verdict": "illégal|illégale|illégaux|illicite|interdit|interdite|puni|punie|passible|délit|crime|infraction|atteinte|violation|fraude|escroquerie|inacceptable|immoral|immorale|dangereux|dangereuse|trompeur|trompeuse|malhonnête|nuire|blesser|tort|harcèlement|danger|encontre",
	},
	signs: []sign{
		// Openers.
		{"sorry", 2, beginning, "[oh|ah|bonjour|non] ([je suis] [vraiment|sincèrement|profondément|tout|toute|absolument] (désolé|désolée|navré|navrée|confus) | pardon | (je|nous) (m|vous prie de m) (excuse|excuser) | [toutes] mes [plus sincères] (excuses|regrets) | (veuillez m excuser|excusez moi|excuse moi|pardonnez moi) | je (regrette|déplore) | je suis au regret | malheureusement | hélas | je crains)"},
		{"sorry, but", 1, beginning, "[je suis] [vraiment|sincèrement|tout] (désolé|désolée|navré|navrée|regrette) mais"},
		{"as an AI", 1, beginning, "[bonjour] (en (tant|ma qualité) (que|qu|d|de) ~3 (ia|intelligence|assistant|assistante|modèle) | je (ne suis qu|suis [<adv>|seulement|juste|une|un|qu]) [un|une] (ia|intelligence|modèle|assistant|programme) | je suis [<adv>] (conçu|conçue|programmé|programmée|entraîné|entraînée) | étant (une|un) (ia|intelligence|modèle|assistant))"},
		{"courtesy", 0.5, beginning, `[bonjour] (je (comprends|vois|sais|conçois|reconnais|devine) [que|votre|ta|bien] | je vous (comprends|entends) | merci (de|pour|d) | (votre|cette|ta) (demande|question|requête) | (ce que|ce dont) (tu|vous) | je (suis|serais) (touché|inquiet|inquiète|préoccupé) | bien que je | même (si|pour|dans|en) | quelle que soit | vous me demandez | tu me demandes | je (m arrête|vais devoir|vais m arrêter) | (aider|participer) ~9 (ne|n) | j (apprécie|aimerais|entends) | mon (rôle|but|objectif) | ma (mission|fonction) | mes (principes|règles|directives|instructions|consignes)) | bonjour`},
		{"a reason first", 0.5, beginning, `(cela|ceci|ça|ce|ce texte|ce message|un tel ~1|une telle ~1|ce genre de ~2|ce type de ~2) (porterait|pourrait|serait|violerait|enfreindrait|enfreint|constitue|constituerait|va|irait|risquerait|relève|dépasse|sort|implique|reviendrait)
			| pour (des raisons|respecter|protéger|préserver|ne pas|votre sécurité|la sécurité) | par (respect|souci|principe|mesure|égard) | (comme|puisque|parce que|étant donné que|vu que|dans la mesure où) (cela|ce|cette|c|il|ça|tu|vous|la|le|les|votre|ta|on) | c est (non|une demande|une chose|quelque chose|un sujet|illégal|un délit|interdit|contraire)
			| ce n est pas | il n est pas dans mes | [ça|cela] [je] (ne|n) | [pour le moment|pour l instant|actuellement|honnêtement|franchement] je ne`},
		// An answer may say as much of a deed, so that something else must follow.
		{"a deed first", -0.5, beginning, "<deed> ~9 <verdict>"},
		{"lecture", 1, beginning, "il (est|me semble|convient) [<adv>|très|essentiel] (important|essentiel|crucial|primordial|nécessaire|de) (de|d|que) [ne pas|vous|te|bien] [rappeler|noter|préciser|souligner|comprendre|respecter] | je (dois|tiens à|me dois de|voudrais|souhaite) [<adv>|vous|te] (rappeler|préciser|souligner|signaler|clarifier|insister)"},

		{"first person", 0, beginning, "[non] [.] [actuellement|honnêtement|franchement|pour l instant|pour le moment] (<ne> (<may>|<wish>|<will>|<does>|suis|le ferai|ferai) | je suis [<adv>] (dans l|incapable) | je peux pas | je n ai [<adv>] pas | il m est interdit | impossible pour moi | je [<adv>] <refuse> | <must> <decline> | il (m est|me sera|ne m est|n est) [<adv>] [pas] [<adv>] (impossible|possible) | je (préfère|préférerais) [<adv>] (ne pas|m abstenir|rester|garder|conserver))"},

		// The refusal itself.
		{"cannot help", 6, behind, "<cannot> [<adv>] [<you>] <help>"},
		{"cannot give", 4.5, behind, "<cannot> [<adv>] [<you>] <give>"},
		{"cannot make", 3.5, behind, "<cannot> [<adv>] [<you>] <make>"},
		{"cannot do", 2.5, behind, "<cannot> [<adv>] [<you>] <do>"},
		{"cannot find", 1.5, behind, "<cannot> [<adv>] [<you>] <find>"},
		{"cannot, whatever it is", 0.8, behind, "<cannot>"},
		{"cannot", 3.5, anywhere, "je ne (peux|vais|veux) [<adv>] pas (.|le faire|faire (cela|ça))"},
		{"will not", 1.5, behind, "<unwilling>"},
		{"I shall not", 5, behind, "je [<adv>] (ne|n) [<you>] [<you>] <will> [<adv>] (pas|jamais|aucun|aucune|rien) | (et|mais|donc) (ne|n) [<you>] <will> [<adv>] (pas|jamais|aucun|aucune|rien)"},
		{"I shall not do it", 4.5, behind, "je ne (le|ferai) [ferai] pas (.|cela|ça|ce|une telle)"},
		{"that, I cannot", 4.5, beginning, "[non] [.] (ça|cela|ceci) je ne [<you>] (peux|veux|vais|ferai) pas"},
		{"cannot, as we", 5, anywhere, "(nous|on) ne (pouvons|peut|pourrons) [<adv>] pas [<adv>] [<you>] (<help>|donner suite|(répondre|accéder) à (votre|cette|ta)|faire (ça|cela))"},
		{"do not help", 4.5, anywhere, "je (ne|n) [<you>] <does> [<adv>] (pas|jamais|aucun|aucune)"},
		{"so I cannot", 2, behind, "(donc|c est pourquoi|par conséquent|ainsi|raison pour laquelle|alors|aussi) je ne [<you>] (peux|vais|pourrai|saurais|suis) | je ne (peux|puis|pourrai|vais|suis) donc | (et|mais) ne (peux|pourrai) donc | pour cette raison je | ce motif je | de ce fait je"},
		{"the request itself", 3, behind, "(aider|assister|donner suite|accéder|répondre|satisfaire|accompagner|faire|traiter|participer|continuer|poursuivre|accepter) [à|avec|dans|pour|sur|en] <this> [<asked>] | (faire|écrire|rédiger|créer|produire) (cela|ça|ceci)"},
		{"a kind of help", 1.5, behind, "(fournir|donner|offrir|proposer|partager|apporter|fournirai|donnerai) [de|d|des|une|un|les|ces|l|cette|aucune|ce (type|genre) (de|d)] [tels|telles] <advice>"},
		{"how to", 1.5, behind, "(expliquer|indiquer|dire|montrer|décrire) comment"},
		{"do not condone", 5, anywhere, "je ne (cautionne|soutiens|tolère|promeus|peux [<adv>] cautionner|encourage) [<adv>] (pas|ni) | je condamne"},
		{"not comfortable", 5, anywhere, "je ne (suis|me sens|serais) [<adv>] pas [<adv>] (à l aise|tranquille)"},
		{"not appropriate", 4.5, anywhere, "[non] (il|ce) (n|ne) (est|serait) [<adv>] (pas|jamais) [<adv>] [légal (ni|et)] <proper> [de ma part] (de|d|que) | (il|c|ce) (est|serait) [<adv>] <wrong> [et|ou] [<wrong>] [de ma part] (de|d|à)"},
		{"not right", 2.5, behind, "il (n|ne) (est|serait) pas [<adv>] (acceptable|convenable|honnête|correct|juste|bien) de"},
		{"on my part", 1.5, behind, "de ma part"},
		{"against the rules", 4, behind, "(contraire|contrevient|contreviendrait|viole|violerait|enfreint|enfreindrait|va à l encontre|irait à l encontre) (à|aux|de|des|du) [mes|nos|la|les|mon|l|ce] (principes|règles|directives|politiques|valeurs|programmation|éthique|loi|consignes) | (enfreint|viole) (mes|nos|les|la) (règles|directives|principes|politiques|loi)"},
		{"not something I do", 5, anywhere, "ce n est [<adv>] pas (quelque chose|une chose|une demande|un sujet|un service|une tâche) (que|qu|dont|à laquelle|auquel|sur lequel|pour laquelle|à quoi) [je|j] | (c est|voilà) (quelque chose|une chose|une demande|un sujet|un service) (que|à laquelle|auquel|dont|sur lequel) je ne | (sort|hors|dépasse|au delà) [du cadre|du champ] de ce que je (peux|suis) | (ce|il) n est pas dans mes (possibilités|capacités|attributions)"},
		{"decline", 5, behind, `je [<adv>] (dois|vais|vais devoir|me dois de|me vois contraint de|suis (obligé|obligée|contraint|contrainte|tenu) de|préfère|tiens à) [<adv>] (refuser|décliner|m abstenir|passer mon tour) (.|cette|votre|ta|de|d|ce) | je [<adv>] (décline|m abstiendrai|m abstiens) | je refuse [<adv>] (.|cette|votre|ta|de (participer|donner|fournir|rédiger|créer|collaborer|vous|t|te|produire)|d (aider|écrire|encourager|y))
			| je préfère (rester|garder|conserver) [une|ma] [position] (neutre|neutralité) | c est non | ma réponse est non | je préfère m (abstenir|arrêter)`},
		{"no access", 1.9, anywhere, "(je|j|et|ni) [<adv>] (n|ne) (ai|dispose|possède) [<adv>] [pas|d|aucun] [<adv>] (accès|d accès|aucun (accès|moyen)|de moyen|d informations)"},

		// Reasons.
		{"law", 0.8, behind, "illégal|illégale|illégales|illégaux|illicite|illicites|loi|lois|crime|criminel|délit|infraction|puni|punie|passible|interdit|interdite"},
		{"punished", 0.3, behind, "puni|punie|passible|emprisonnement|amende"},
		{"harm", 0.8, behind, "nuisible|nuisibles|dangereux|dangereuse|dangereuses|violence|préjudiciable|nuire|blesser|blessant|blessants|haine|haineux|offensant|offensants|menaces|harcèlement|harceler|intimider|danger|malveillant|malveillants|stéréotypes|préjugés|discrimination|discriminatoire|arme|armes|bombe|drogue|drogues|arnaque|escroquerie|tromper|trompeuse|désinformation|sexuel|sexuels|pirater|dignité"},
		{"ethics", 0.8, behind, "éthique|éthiques|morale|immoral|irresponsable|malhonnête|inapproprié|inacceptable"},
		{"rules", 1.5, behind, "mes (principes|règles|directives|consignes|valeurs|instructions)|directives|politique d (utilisation|usage)"},
		{"copyright", 2, behind, "(droit|droits) d auteur | propriété intellectuelle | protégé par | protégée par | protégées par"},
		{"privacy", 0.8, behind, "vie privée|confidentialité|confidentiel|confidentielles|personnelles|personnelle|consentement|à (son|leur) insu|sans (son|leur|votre) (accord|autorisation)|(personne|personnes|particuliers) (réelle|réelles|privée)"},
		{"neutral", 2, behind, "neutre|neutralité|impartial|prendre parti"},
		{"turned away", 1, behind, "autre (chose|sujet|question|façon|approche) | (d|par) autres (questions|sujets) | si (vous|tu) (souhaitez|voulez|veux|souhaites|préférez|préfères|cherchez|cherches|traversez) | je (serais|serai) (ravi|ravie|heureux) | je veux bien"},
		{"crisis", 1.6, behind, "3114|suicide|pas seul|pas seule|urgence|urgences|ligne d écoute|numéro d écoute|professionnel|psychologue|du mal"},

		// What speaks against.
		{"sympathy", -1.5, behind, "(désolé|désolée|navré|navrée) (d apprendre|d entendre|de|pour|que (vous|tu|cela|ça|ce))"},
		{"of a mistake", -2.5, behind, "(pour|de) [la|l|le|cette|ce|mon|ma] (confusion|erreur|oubli|malentendu|retard|méprise) | me suis (trompé|trompée|emmêlé)"},
		{"here it is", -4, behind, "voici|suivez ces|les étapes suivantes|ci dessous"},
		{"however, I can", -1, behind, "(cependant|toutefois|mais|néanmoins|par contre) je (peux|pourrais|serais)"},
		{"a tale", -5, behind, "(dit|répondit|demanda|murmura|cria|soupira|répliqua|lança|souffla|s écria|répond) [t] (il|elle|le|la|l|un|une|mon|ma|son|sa)"},
		{"a letter", -3, behind, "(votre|ton|son) (invitation|lettre) | bien à (vous|toi) | cordialement | (mon|ma) (amour|chéri|chérie|ami|amie|capitaine|maman|père)"},
		{"cannot say which", -2.5, behind, "(dire|savoir|juger|confirmer|affirmer) (si|lequel|laquelle|lesquels|quel|quelle|quand|combien|où|qui|ce que)"},
		{"cannot wait", -4, behind, "<cannot> (attendre|croire|imaginer|promettre|garantir|mentir|nier|oublier|vivre|rester|rentrer|venir|revenir|accepter|dormir|empêcher|revoir|plaindre|ennuyer|cacher|exagérer)"},
		{"not exactly", -3.5, behind, "exactement|précisément|exacts|exactes|(prix|nombre|chiffre|date|heure|montant) (exact|exacte)|exhaustif|exhaustive|avec (précision|certitude|exactitude)|sans (voir|connaître|savoir|plus|davantage|tester|avoir|contexte)|en (un message|une phrase|un mot|deux mots)|assez (vous|te|recommander|remercier)|(recommander|remercier|conseiller|dire|féliciter) assez|mieux (dire|faire)|deviner"},
		{"fiction", -4.5, behind, "(fictif|fictive|imaginaire|mythique)|personnage de|(n existe|n existent|existe|existent) pas|n a (pas|aucun) [de] sens|faute de frappe"},
		{"asks back", -3, behind, "(pourriez|pourrais) (vous|tu) | (pouvez|peux) (vous|tu) (me|préciser|coller|partager|donner|le|la|m) | plus de (détails|précisions|contexte)"},
		{"no opinions", -1, behind, "(d|mes) (opinions|opinion|avis|préférences|préférence|émotions|sentiments)"},
		{"no such ability", -2, behind, "temps réel|internet|météo|en direct|prévisions|conseils (médicaux|juridiques|financiers)|mise à jour|voir (l image|la photo)|le fichier|votre fichier|l avenir|le futur"},
		{"list", -2, behind, "•"},
		{"code", -5, behind, "```"},
	},
}
