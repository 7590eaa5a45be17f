package refusal

import "strings"

// French and the three languages here have the same classes as English. Their
// signs are fewer, as less was labelled, but each class is there: who cannot, who
// will not, the verb, the reason, and what speaks against. What differs: the verb
// has pronouns about it, the subject may be left out, and a refuser likes the
// future, "no escribiré".
// The verbs are many, so that the signs with them stand behind the openers alone,
// among which is "first person": this keeps the machine of first words small.

// enclitics returns infinitives and what they make with a pronoun behind them, as
// in "ayudar", "ayudarte". Of an infinitive the ending cut goes first.
func enclitics(cut, pronouns, infinitives string) string {
	var forms []string
	for _, verb := range strings.Split(infinitives, "|") {
		forms = append(forms, verb)
		for _, pronoun := range strings.Split(pronouns, "|") {
			forms = append(forms, strings.TrimSuffix(verb, cut)+pronoun)
		}
	}
	return strings.Join(forms, "|")
}

// future returns the first person of the regular future of infinitives.
func future(ending, infinitives string) string {
	return strings.ReplaceAll(infinitives, "|", ending+"|") + ending
}

// The infinitives that more than one form is made of.
var (
	spanishHelp = "ayudar|asistir|apoyar|promover|fomentar|participar|colaborar|facilitar|complacer|respaldar|contribuir|atender|alentar|incitar|prestar|involucrar|tolerar|avalar|validar"
	spanishGive = "proporcionar|dar|ofrecer|brindar|responder|compartir|revelar|divulgar|recomendar|contestar|tratar|comentar|opinar|especular|facilitar|aconsejar|enseñar|justificar|orientar|guiar|discutir|pronunciar|posicionar|entregar|comunicar|suministrar|transmitir|debatir"
	spanishMake = "crear|escribir|generar|producir|redactar|explicar|describir|detallar|indicar|sugerir|elaborar|componer|diseñar|desarrollar|ejecutar|realizar|traducir|publicar|reproducir|copiar|citar|identificar|reconocer|imitar|interpretar|simular|insultar|juzgar|clasificar|predecir|reservar|pagar|enviar|dibujar|fabricar|inventar|emitir|formular|establecer|recetar|diagnosticar|transcribir|incluir|proponer|modificar|burlar|preparar"
)

var spanish = language{
	name: "es",
	words: map[string]string{
		"adv": "lamentablemente|realmente|simplemente|desafortunadamente|desgraciadamente|tampoco|éticamente|moralmente|legalmente|sinceramente|personalmente|actualmente|aquí|también|directamente|claramente|jamás|nunca|así|respetuosamente|por (lo tanto|tanto|ello|eso)",
		"cl":  "te|le|les|lo|la|los|las|os|me|se|nos",
		"no":  "[yo] (no|tampoco) [<cl>]",
		"may": "puedo|podré|podría|debo|debería",

		// What a refuser says instead of "puedo". Each alternative ends in a word, so
		// that all lead to one place of the machine.
		"cannot": `<no> <may> | <no> <may> ni | <no> me es posible | <no> <able> a | <no> <able> para | <no> <means> de | <no> <means> para | no soy capaz de | no tengo permitido | no me está permitido | no poder | (ni|ni tampoco) (la capacidad|la posibilidad|permiso) de | imposible para mí | no me siento <ease> | (me es|me resulta|es) [<adv>] imposible para mí | (me es|me resulta) [<adv>] imposible | no (es|me resulta) posible | <unwilling>`,
		"able":   "estoy [<adv>] (autorizado|autorizada|programado|programada|diseñado|diseñada|capacitado|capacitada|aquí|hecho)",
		"means":  "estoy en (condiciones|posición|disposición|capacidad) | tengo [<adv>] (la capacidad|la posibilidad|permiso|autorización|forma|manera|modo|medios)",
		"ease":   "cómodo|cómoda",
		"unwilling": `<no> <wish> | <no> voy a | <no> estoy dispuesto a | <no> estoy dispuesta a | (prefiero|preferiría|elijo) no | (prefiero|preferiría) abstenerme de | (prefiero|preferiría) evitar
			| <must> negarme a | <must> rechazar | <must> declinar | <must> abstenerme de | me <refuse> a | me <refuse> de`,
		"wish":   "quiero|pienso|deseo|quisiera",
		"refuse": "niego|abstengo|abstendré",
		"must":   "debo|tengo que|voy a tener que|he de|me veo obligado a",

		"help": enclitics("", "te|le|lo|les|os", spanishHelp) + "|ayudarla|cumplir con|formar parte|ser parte|tomar parte",
		"give": enclitics("", "te|le|lo", spanishGive) + "|dártelo|darles|daros|hablar de|tomar partido",
		"make": enclitics("", "te|lo|la", spanishMake) + "|hacer (un|una|ese|esa|este|esta|comentarios|bromas|chistes|llamadas|que|suposiciones|predicciones|daño)|hacerme pasar|entrar en (ese|este)|asumir|llamar a",
		"do":   enclitics("", "te|le|lo", "hacer|decir|mostrar|repetir|continuar|seguir|contar|hablar"),
		"find": enclitics("", "lo|la", "acceder|consultar|ver|abrir|leer|escuchar|verificar|comprobar|encontrar|buscar|navegar|localizar|conocer|saber|conectar|obtener|recuperar|visualizar|controlar"),
		"will": future("é", spanishHelp) + "|" + future("é", spanishGive) + "|" + future("é", spanishMake) + "|propondré|cumpliré",
		"does": "ayudo|asisto|proporciono|genero|creo (contenido|contenidos|textos|material|imágenes)|escribo|redacto|produzco|divulgo|revelo|comparto (información|datos|detalles|opiniones|mis|ese|este)|doy (consejos|instrucciones|opiniones|información|ese|este)|participo|identifico|elaboro|ofrezco|facilito|comento",

		"this":   "eso|esto|esa|ese|esta|este|esas|esos|tu|su|dicha|dicho|tal|lo que|algo así",
		"asked":  "solicitud|petición|pregunta|tema|consulta|tipo|clase|tarea|contenido|asunto",
		"advice": "información|instrucciones|consejos|ayuda|asistencia|respuesta|detalles|contenido|orientación|recomendaciones|asesoramiento|indicaciones|métodos|técnicas|pasos",
		"right":  "apropiado|ético|moral|adecuado|responsable|respetuoso",
		"wrong":  "inapropiado|inaceptable|inmoral|irresponsable|poco ético|deshonesto|antiético",

		// Deeds that are spoken of before they are refused, and what is said of them.
		"deed": `(falsificar|hackear|piratear|robar|acosar|amenazar|espiar|vigilar|suplantar|defraudar|intimidar|humillar|difamar|drogar|envenenar|evadir|eludir|publicar|difundir|divulgar|acceder|fabricar|grabar|usar|utilizar|crear|escribir|compartir|incitar|engañar|manipular|comprar|vender|instalar|entrar|forzar|copiar|hacerse|inventar|burlarse|sobornar|plagiar|mentir|chantajear|extorsionar)
			| [el|la|los|las|un|una] (robo|fraude|falsificación|acoso|hackeo|chantaje|extorsión|suplantación|plagio|difamación|discriminación|estafa|soborno|corrupción|blanqueo|falso|violencia|odio|ciberacoso|hurto|perjurio|amenazas|insultos|estafas|fraudes|robos|calumnias)`,
		"verdict": "ilegal|ilegales|delito|crimen|infracción|violación|fraude|estafa|inaceptable|inmoral|peligroso|peligrosa|engañoso|engañosa|deshonesto|dañar|herir|daño|acoso|penado|penada|prohibido|prohibida|castigado|castigada|privacidad|riesgo",
	},
	signs: []sign{
		// Openers.
		{"sorry", 2, beginning, "[hola|oh|ay|vaya|no] (lo (siento|lamento) [mucho] | lamento | siento | (disculpa|disculpe|disculpas|discúlpame|discúlpeme|perdona|perdóname|perdón|perdone) | me temo | mis [más sinceras] disculpas | te pido (disculpas|perdón) | le pido (disculpas|perdón) | pido disculpas | lamentablemente | desafortunadamente | desgraciadamente | por desgracia)"},
		{"sorry, but", 1, beginning, "lo (siento|lamento) [mucho] pero"},
		{"as an AI", 1, beginning, "[hola] (como [un|una] ~3 (ia|inteligencia|asistente|modelo) | (soy|al ser) [<adv>] (solo|sólo|una inteligencia|una ia|un asistente|un modelo) | (solo|sólo) soy | (estoy|fui|he sido) [<adv>] (diseñado|diseñada|programado|programada|entrenado|entrenada|creado))"},
		{"courtesy", 0.5, beginning, `[hola] ((entiendo|comprendo|veo|sé|reconozco) [que|tu|su] | gracias por | te agradezco | agradezco | (tu|su|esta|esa|la) (solicitud|pregunta|petición|consulta|propuesta) | (lo que|eso que) (describes|describe|pides|pide|planteas|plantea|propones|solicitas|cuentas|me) | aunque (entiendo|comprendo|sea|me|se|esto|solo|sólo) | me (pides|pide|estás pidiendo) | ni siquiera | hasta aquí | (ayudar|participar) ~9 no es | me (gustaría|encantaría|preocupa) | mi (función|propósito|objetivo|papel) | mis (principios|normas|directrices|instrucciones)) | hola`},
		{"a reason first", 0.5, beginning, `(eso|esto|ese ~1|este ~1) (podría|sería|violaría|va|iría|implica|implicaría|supone|supondría|constituye|vulnera|infringe|queda|está|excede|no (lo|es)) | por (razones|motivos|respeto|cuestiones|seguridad|principio) | (como|dado que|porque|puesto que|ya que|debido a que) (eso|esto|se trata|en|la|el|es|tu|lo)
			| (es|esa es|esta es|se trata de) (un|una) (petición|solicitud|delito|tema|asunto) | [ahora mismo|en este momento|de momento|por ahora|sinceramente|honestamente] no [<cl>] puedo`},
		// An answer may say as much of a deed, so that something else must follow.
		{"a deed first", -0.5, beginning, "<deed> ~9 <verdict>"},
		{"lecture", 1, beginning, "es [<adv>|muy] (importante|fundamental|esencial|crucial|necesario) (que|no|recordar|señalar|aclarar|tener|respetar|destacar|subrayar) | (debo|quiero|tengo que|me gustaría|cabe) (recordar|recordarte|recordarle|señalar|aclarar|aclararte|advertir|advertirte|decir que)"},

		{"first person", 0, beginning, "[no] [.] [ahora mismo|en este momento|de momento|por ahora|sinceramente|honestamente] [<adv>] (<no> (<may>|<wish>|<will>|<does>|voy a|me es posible|me siento|me está permitido|tengo|estoy|soy capaz|tengo permitido|<means>) | me <refuse> | <must> (negarme|rechazar|declinar|abstenerme) | (me es|me resulta) | es [<adv>] imposible para mí | no (es|me resulta) posible | (prefiero|preferiría) (no|abstenerme|evitar|mantener|mantenerme|permanecer|ser neutral))"},

		// The refusal itself.
		{"cannot help", 6, behind, "<cannot> [<adv>] <help>"},
		{"cannot give", 4.5, behind, "<cannot> [<adv>] <give>"},
		{"cannot make", 3.5, behind, "<cannot> [<adv>] <make>"},
		{"cannot do", 2.5, behind, "<cannot> [<adv>] <do>"},
		{"cannot find", 1.5, behind, "<cannot> [<adv>] <find>"},
		{"cannot, whatever it is", 0.8, behind, "<cannot>"},
		{"cannot", 3.5, anywhere, "no [lo] (puedo|voy a|quiero) [<adv>] (.|hacerlo|hacer (eso|esto|algo así))"},
		{"will not", 1.5, behind, "<unwilling>"},
		{"I shall not", 5, behind, "<no> <will>"},
		{"I shall not do it", 4.5, anywhere, "no (lo haré|haré (eso|esto|tal|algo))"},
		{"that, I cannot", 4.5, beginning, "[no] [.] (eso|esto) no [<cl>] (puedo|voy|quiero|haré)"},
		{"cannot, as we", 5, anywhere, "no [<cl>] podemos (ayudar|ayudarte|ayudarle|(hacer|responder a) <this>)"},
		{"do not help", 4.5, anywhere, "no [<cl>] <does>"},
		{"so I cannot", 2, behind, "(por (lo tanto|tanto|ello|eso|lo que|esa razón|este motivo|ese motivo|esta razón)|así que|de modo que|en consecuencia|y) no [<cl>] [me] (puedo|voy|podría|es|estoy|podré)"},
		{"the request itself", 3, behind, "(ayudar|ayudarte|ayudarle|asistir|participar|atender|acceder|responder|hacer|continuar|seguir|cumplir|aceptar|escribir|crear) [a|con|en|de] <this> [<asked>]"},
		{"a kind of help", 1.5, behind, "(proporcionar|proporcionarte|proporcionarle|dar|darte|darle|ofrecer|ofrecerte|brindar|brindarte|compartir|facilitar|facilitarte|daré) [una|la|esa|esas|ese tipo de|este tipo de|ninguna|ningún] <advice>"},
		{"how to", 1.5, behind, "(explicar|explicarte|indicar|indicarte|decir|decirte|mostrar|mostrarte|enseñar|enseñarte|describir) cómo"},
		{"do not condone", 5, anywhere, "no (apoyo|promuevo|tolero|fomento|apruebo|respaldo|avalo) | (condeno|rechazo) "},
		{"not comfortable", 5, anywhere, "no [me] (siento|sentiría|estoy) [<adv>] (cómodo|cómoda)"},
		{"not appropriate", 4.5, anywhere, "no (es|sería|me parece) [<adv>] [legal (ni|y)] <right> [ni|o|y] [<right>] | (es|sería|me parece) [<adv>] <wrong>"},
		{"not right", 2.5, behind, "no (es|sería) [<adv>] (aceptable|correcto|honesto|justo|bueno)"},
		{"on my part", 1.5, behind, "(por|de) mi parte"},
		{"against the rules", 4, behind, "(va|van|iría|irían|es|está) en contra de [mis|nuestras|nuestros|las|los|la|mi] (políticas|principios|normas|directrices|valores|ética|programación|ley|leyes) | (viola|violaría|infringe|infringiría|incumple|vulnera) [mis|nuestras|nuestros|las|los|la] (políticas|normas|directrices|principios|leyes|ley)"},
		{"not something I do", 5, anywhere, "no está (en mis manos|a mi alcance) | no es (algo|una tarea|una petición|un tema|una solicitud) (que|en lo que|con lo que|en el que|de lo que) [yo] [me] (pueda|puedo|vaya|voy|esté|haga|quiera|deba|sienta) | (es|se trata de) (algo|una petición|una solicitud|un tema|un asunto|una tarea) (que|en lo que|con lo que|en el que|sobre el que) [yo] no | (fuera|allá|excede|excede de|supera) [de] (lo que (puedo|soy|me)|mis (capacidades|funciones|límites))"},
		{"decline", 5, behind, `(debo|tengo que|voy a tener que|he de|me veo obligado a|prefiero) (declinar|negarme|abstenerme|rechazar) (.|esta|esa|este|ese|tu|su|la|a|de) | prefiero (mantenerme|mantener|permanecer|seguir siendo|ser) [la|una] [posición] (neutral|neutralidad) | me abstengo | me abstendré
			| me niego (.|a (ayudar|ayudarte|escribir|participar|colaborar|hacer|crear|redactar|dar|darte|proporcionar|eso|esto)) | mi respuesta es no | la respuesta es no`},
		{"no access", 1.9, anywhere, "(no|ni) (tengo|dispongo de|cuento con) [<adv>] (acceso|información|datos|conexión|forma|manera)"},

		// Reasons.
		{"law", 0.8, behind, "ilegal|ilegales|ilícito|ilícita|ley|leyes|delito|delitos|crimen|infracción|penado|penada|penadas|prohibido|prohibida"},
		{"punished", 0.3, behind, "castigado|castigada|penado|penada|prisión|multa"},
		{"harm", 0.8, behind, "dañino|dañina|dañinas|dañinos|dañar|perjudicial|perjudiciales|perjudicar|peligroso|peligrosa|peligrosas|violencia|violento|daño|hacerte daño|odio|ofensivo|ofensivos|amenazas|acoso|acosar|intimidar|malicioso|maliciosos|estereotipos|prejuicios|discriminación|arma|armas|bomba|droga|drogas|estafa|engañar|engañoso|phishing|desinformación|sexual|sexuales|explícito|hackear|dignidad|vengarte|burlarse|burle|burlen"},
		{"ethics", 0.8, behind, "ética|ético|inmoral|irresponsable|deshonesto|inapropiado|inaceptable"},
		{"rules", 1.5, behind, "mis (principios|normas|directrices|valores|instrucciones)|directrices|políticas de (uso|contenido)"},
		{"copyright", 2, behind, "derechos de autor | propiedad intelectual | protegido por | protegida por"},
		{"privacy", 0.8, behind, "privacidad|confidencial|confidencialidad|personal|personales|consentimiento|seguridad|sin (su|tu) (permiso|autorización)|(persona|personas) (real|reales)"},
		{"neutral", 2, behind, "neutral|neutralidad|imparcial|tomar partido"},
		{"turned away", 1, behind, "otra cosa|algo más|otro tema|otra pregunta|otras preguntas|otra consulta|si (quieres|lo deseas|prefieres|te apetece|necesitas|buscas|desea|lo desea)"},
		{"crisis", 1.6, behind, "024|112|911|suicidio|suicida|a solas|emergencia|emergencias|línea de|profesional|psicólogo"},

		// What speaks against.
		{"sympathy", -1.5, behind, "(siento|lamento) [mucho|muchísimo] (oír|escuchar|saber|que|lo de|lo que|tu|su|la|el)"},
		{"of a mistake", -2.5, behind, "por (la|el|mi) (confusión|error|malentendido|retraso|demora|despiste) | (la|el) (confusión|error|malentendido) . | me (equivoqué|confundí|he equivocado)"},
		{"here it is", -4, behind, "aquí (tienes|está|están|hay|te|tiene|van) | (estos|siguientes) pasos | a continuación"},
		{"however, I can", -1, behind, "(sin embargo|pero|no obstante|aunque|en cambio) [sí] (puedo|podría)"},
		{"a tale", -5, behind, "(dijo|respondió|contestó|preguntó|murmuró|gritó|suspiró|replicó|susurró|exclamó) [él|ella|el|la|un|una|mi|su|entre]"},
		{"a letter", -3, behind, "su invitación|tu invitación|tu carta|su carta|un saludo|atentamente|mi (amor|capitán|madre|padre)|mamá|papá"},
		{"cannot say which", -2.5, behind, "(decirte|decirle|decir|saber|juzgar|confirmar|afirmar) (si|cuál|cuáles|cuándo|cuánto|quién|dónde|qué)"},
		{"cannot wait", -4, behind, "<cannot> (esperar|creer|imaginar|prometer|prometerte|garantizar|mentir|mentirte|negar|olvidar|vivir|volver|quedarme|ir|dormir|evitar|dejar|aceptar|aburrirte|engañarte|ocultar|más|menos)"},
		{"refuse to believe", -5, behind, "no (daré|diré|ofreceré|compartiré) (más|sino) | me niego a (creer|pensar|aceptar|vivir|rendirme)"},
		{"not exactly", -3.5, behind, "exactamente|exactos|exactas|(precio|número|fecha|hora|importe) (exacto|exacta)|con (precisión|certeza|exactitud|seguridad)|sin (ver|conocer|saber|más|tener|probar|contexto)|en (un mensaje|una frase|una palabra|dos palabras)|lo suficiente|bastante este|adivinar"},
		{"fiction", -4.5, behind, "ficticio|ficticia|ficción|imaginario|mítico|no existe|no existen|no tiene sentido|errata"},
		{"asks back", -3, behind, "(podrías|podría|puedes|puede) (proporcionar|aclarar|aclararme|decirme|darme|explicar|compartir|especificar|pegarlo|pegar|indicarme) | más (detalles|contexto)"},
		{"no opinions", -1, behind, "(opiniones|opinión|preferencias|sentimientos|emociones|gustos)"},
		{"no such ability", -2, behind, "tiempo real|internet|pronóstico|clima|en directo|en vivo|la imagen adjunta|ver la imagen|archivo|fichero|(consejos|asesoramiento) (médico|médicos|legal|legales|financiero|financieros)|última actualización|el futuro"},
		{"list", -2, behind, "•"},
		{"code", -5, behind, "```"},
	},
}

// As in Spanish. A pronoun behind a hyphen is a word of its own.
var (
	portugueseHelp = "ajudar|auxiliar|assistir|apoiar|promover|incentivar|encorajar|participar|colaborar|facilitar|compactuar|contribuir|atender|cumprir|incitar|endossar|tolerar|satisfazer|viabilizar"
	portugueseGive = "fornecer|dar|oferecer|responder|compartilhar|partilhar|revelar|divulgar|recomendar|comentar|opinar|especular|aconselhar|ensinar|justificar|orientar|guiar|discutir|prestar|informar|disponibilizar|passar|transmitir|abordar|debater|repassar"
	portugueseMake = "criar|escrever|gerar|produzir|redigir|explicar|descrever|detalhar|indicar|sugerir|elaborar|compor|desenvolver|executar|realizar|traduzir|publicar|reproduzir|copiar|citar|identificar|reconhecer|imitar|interpretar|simular|insultar|julgar|classificar|prever|reservar|pagar|enviar|desenhar|fabricar|inventar|emitir|formular|prescrever|diagnosticar|transcrever|incluir|modificar|zombar|preparar|montar"
)

var portuguese = language{
	name: "pt",
	words: map[string]string{
		"adv": "infelizmente|realmente|simplesmente|também|portanto|eticamente|moralmente|legalmente|sinceramente|pessoalmente|atualmente|diretamente|jamais|nunca|ainda|aqui|respeitosamente|assim|então",
		"cl":  "lhe|te|o|a|os|as|vos|me|se|lo|la|los|las",
		"no":  "[eu] [<adv>] não [<cl>]",
		"may": "posso|poderei|poderia|consigo|devo|devia|conseguiria",

		// What a refuser says instead of "posso". Each alternative ends in a word, so
		// that all lead to one place of the machine.
		"cannot": `<no> <may> | (nem|também não) <may> | <no> me é possível | <no> (é|seria) possível | <no> <able> a | <no> <able> para | <no> <means> de | <no> <means> para | não sou capaz de | não me é permitido | não poder | nem (a capacidade|a possibilidade|permissão) de | impossível para mim | não me sinto <ease> em | não me sinto <ease> com | não me sinto <ease>
			| (me é|é me|é) impossível para mim | (me é|é me) impossível | <unwilling>`,
		"able":  "(estou|fui|sou) [<adv>] (autorizado|autorizada|programado|programada|projetado|projetada|apto|apta|aqui|feito|capacitado)",
		"means": "estou em (condições|posição) | tenho [<adv>] (a capacidade|a possibilidade|permissão|autorização|como|condições|meios)",
		"ease":  "confortável|à vontade",
		"unwilling": `<no> <wish> | <no> vou | <no> irei | não estou disposto a | não estou disposta a | (prefiro|preferiria|opto por) não | prefiro abster me de | prefiro evitar
			| <must> recusar | <must> declinar | <must> recusar me a | <must> me recusar a | me <refuse> a | me <refuse> de | <refuse> me a | <refuse> me de`,
		"wish":   "quero|pretendo|desejo|gostaria de",
		"refuse": "recuso|abstenho",
		"must":   "(devo|tenho que|tenho de|preciso|vou ter que|sou obrigado a)",

		"help": portugueseHelp + "|ajudá|auxiliá|assisti|atendê|fazer parte|tomar parte|cooperar|pactuar",
		"give": portugueseGive + "|fornecê|dá|divulgá|compartilhá|revelá|informá|tomar partido|me pronunciar|me posicionar|me manifestar|entrar em detalhes",
		"make": portugueseMake + "|identificá|escrevê|criá|reproduzi|fazer (um|uma|esse|essa|este|esta|comentários|piadas|ligações|chamadas|suposições|previsões|mal)|me passar|entrar (nesse|neste)|fingir|ligar para",
		"do":   "fazer|fazê|dizer|dizê|mostrar|repetir|continuar|prosseguir|seguir|contar|falar",
		"find": "acessar|consultar|ver|abrir|ler|lê|ouvir|verificar|encontrar|buscar|navegar|localizar|conhecer|saber|conectar|obter|recuperar|visualizar|controlar|aceder",
		"will": future("ei", portugueseHelp) + "|" + future("ei", portugueseGive) + "|" + future("ei", portugueseMake),
		"does": "ajudo|auxilio|forneço|gero|crio|escrevo|redijo|produzo|divulgo|revelo|compartilho|partilho|participo|identifico|elaboro|ofereço|facilito|comento|dou",

		"this":   "isso|isto|nisso|disso|nisto|esse|essa|este|esta|esses|essas|nesse|nessa|desse|dessa|seu|sua|o seu|a sua|tal|algo assim",
		"asked":  "solicitação|pedido|pergunta|tema|assunto|tipo|tarefa|conteúdo|questão",
		"advice": "informações|informação|instruções|conselhos|ajuda|assistência|resposta|detalhes|conteúdo|orientações|orientação|recomendações|dicas|métodos|técnicas|passos|indicações",
		"right":  "apropriado|ético|moral|adequado|responsável|respeitoso",
		"wrong":  "inapropriado|inaceitável|imoral|antiético|irresponsável|desonesto",

		// Deeds that are spoken of before they are refused, and what is said of them.
		"deed": `(falsificar|hackear|invadir|roubar|furtar|assediar|ameaçar|espionar|vigiar|fraudar|intimidar|humilhar|difamar|drogar|envenenar|burlar|contornar|publicar|divulgar|acessar|fabricar|gravar|usar|utilizar|criar|escrever|compartilhar|incitar|enganar|manipular|comprar|vender|instalar|entrar|forçar|copiar|inventar|zombar|subornar|plagiar|mentir|chantagear|extorquir|sonegar|fazer se passar|se passar|emitir)
			| [o|a|os|as|um|uma] (ameaças|insultos|golpes|fraudes|roubos|calúnias|furto|roubo|fraude|falsificação|assédio|chantagem|extorsão|plágio|difamação|discriminação|estelionato|suborno|corrupção|lavagem|falso|falsa|violência|ódio|racismo|pirataria|golpe|perjúrio|calúnia)`,
		"verdict": "ilegal|ilegais|crime|infração|violação|fraude|estelionato|inaceitável|imoral|perigoso|perigosa|enganoso|enganosa|desonesto|prejudicar|machucar|ferir|danos|dano|assédio|proibido|proibida|punido|punida|privacidade|risco",
	},
	signs: []sign{
		// Openers.
		{"sorry", 2, beginning, "[olá|oi|ah|oh|não] (desculpe [me] | desculpa | desculpas | lamento | (sinto|lamento) muito | sinto | peço (desculpa|desculpas|perdão) | perdão | infelizmente | receio | me (desculpe|desculpa|perdoe) | [as] minhas [sinceras] desculpas)"},
		{"sorry, but", 1, beginning, "(sinto muito|desculpe|lamento|desculpa) mas"},
		{"as an AI", 1, beginning, "[olá] (como [um|uma] ~3 (ia|inteligência|assistente|modelo) | (sou|por ser) [<adv>] (apenas|só|somente|uma inteligência|uma ia|um assistente|um modelo) | (fui|estou) [<adv>] (projetado|projetada|programado|programada|treinado|treinada|criado|desenvolvido))"},
		{"courtesy", 0.5, beginning, `[olá|oi] [eu] ((entendo|compreendo|vejo|sei|reconheço) [que|sua|a|o|seu] | obrigado (por|pela|pelo) | obrigada (por|pela|pelo) | agradeço | você (me pede|está pedindo|está me pedindo) | nem mesmo | vou parar | (ajudar|participar) ~9 não é | (sua|a sua|essa|esta|esse|este|seu|o seu) (solicitação|pergunta|pedido|questão|proposta|mensagem|tipo) | (o que|aquilo que|isso que) (você|descreve|pede|está|me) | embora [eu|isso] | mesmo (que|sendo|em|de) | gostaria de | (minha|a minha) (função|missão) | (meu|o meu) (propósito|objetivo|papel) | (meus|minhas|os meus|as minhas) (princípios|diretrizes|instruções|regras)) | olá`},
		{"a reason first", 0.5, beginning, `(isso|isto|esse ~1|este ~1) (poderia|seria|violaria|vai|viola|pode|implica|constitui|infringe|está|foge|ultrapassa|excede|não é|eu não|não) | por (razões|motivos|respeito|questões|segurança|princípio)
			| (como|já que|porque|visto que|uma vez que|dado que) (isso|isto|se trata|o|a|é|seu|sua) | (é|esse é|essa é|este é|esta é|trata se de) (um|uma) (pedido|solicitação|crime|tema|assunto) | [no momento|neste momento|por enquanto|por ora|agora|sinceramente|honestamente] [eu] não [<cl>] (posso|consigo)`},
		// An answer may say as much of a deed, so that something else must follow.
		{"a deed first", -0.5, beginning, "<deed> ~9 <verdict>"},
		{"lecture", 1, beginning, "é [<adv>|muito] (importante|fundamental|essencial|crucial|necessário) (que|não|lembrar|ressaltar|esclarecer|ter|respeitar|destacar|salientar) | (devo|quero|preciso|gostaria de|cabe|vale) (lembrar|lembrá|ressaltar|esclarecer|alertar|avisar|salientar) | preciso seguir"},
		{"first person", 0, beginning, "[não] [.] (<no> (<may>|<wish>|<will>|<does>|vou|irei|me é possível|(é|seria) possível|me sinto|me é permitido|tenho|estou|sou capaz|<means>|<able>) | [eu] me <refuse> | <refuse> me | <must> (recusar|declinar|me recusar) | (me é|é me) impossível | é impossível para mim | (prefiro|preferiria|opto por) (não|abster|evitar|manter|permanecer|me manter|ser neutro|ficar neutro))"},

		// The refusal itself.
		{"cannot help", 6, behind, "<cannot> [<adv>] [<cl>] <help>"},
		{"cannot give", 4.5, behind, "<cannot> [<adv>] [<cl>] <give>"},
		{"cannot make", 3.5, behind, "<cannot> [<adv>] [<cl>] <make>"},
		{"cannot do", 2.5, behind, "<cannot> [<adv>] [<cl>] <do>"},
		{"cannot find", 1.5, behind, "<cannot> [<adv>] [<cl>] <find>"},
		{"cannot, whatever it is", 0.8, behind, "<cannot>"},
		{"cannot", 3.5, behind, "não (posso|vou|quero|irei) [<adv>] (.|fazê lo|fazer (isso|isto|algo))"},
		{"will not", 1.5, behind, "<unwilling>"},
		{"I shall not", 5, behind, "<no> <will>"},
		{"I shall not do it", 4.5, behind, "não (o farei|farei (isso|isto|tal|algo))"},
		{"that, I cannot", 4.5, beginning, "[não] [.] (isso|isto) [eu] não [<cl>] (posso|vou|quero|farei|consigo)"},
		{"cannot, as we", 5, anywhere, "não [<cl>] podemos [<cl>] (ajudar|auxiliar|atender|(fazer|responder a) <this>)"},
		{"do not help", 4.5, behind, "<no> <does>"},
		{"so I cannot", 2, behind, "(por (isso|isto|esse motivo|essa razão|esta razão|este motivo|conta disso)|então|portanto|assim|de modo que|logo|e) [eu] não [<cl>] [me] (posso|vou|poderia|consigo|é|estou|poderei)"},
		{"the request itself", 3, behind, "(ajudar|ajudá|auxiliar|atender|participar|responder|fazer|continuar|prosseguir|cumprir|aceitar|escrever|criar|redigir) [a|com|em|o|lo|à|ao] <this> [<asked>]"},
		{"a kind of help", 1.5, behind, "(fornecer|dar|oferecer|compartilhar|partilhar|prestar|passar|darei|fornecerei) [uma|as|essa|essas|esse tipo de|este tipo de|nenhuma|nenhum|quaisquer] <advice>"},
		{"how to", 1.5, behind, "(explicar|indicar|dizer|mostrar|ensinar|descrever) como"},
		{"do not condone", 5, anywhere, "não (apoio|promovo|tolero|incentivo|aprovo|compactuo|endosso) | eu (condeno|repudio)"},
		{"not comfortable", 5, behind, "não [me] (sinto|sentiria|estou) [me] [<adv>] (confortável|à vontade)"},
		{"not appropriate", 4.5, anywhere, "não (é|seria|acho|considero) [<adv>] [legal (nem|e)] <right> [nem|ou|e] [<right>] | (é|seria) [<adv>] <wrong>"},
		{"not right", 2.5, behind, "não (é|seria) [<adv>] (aceitável|correto|honesto|justo|certo)"},
		{"on my part", 1.5, behind, "(da|de) minha parte"},
		{"against the rules", 4, behind, "(vai|vão|iria|iriam|é) contra [as|os|a] [minhas|meus|minha] (políticas|diretrizes|princípios|normas|valores|leis|lei|ética|programação) | (viola|violaria|infringe|fere) [as|os|a] [minhas|meus|nossas|nossos] (políticas|diretrizes|normas|regras|princípios|lei|leis)"},
		{"not something I do", 5, anywhere, "não está (ao meu alcance|em minhas mãos) | não é (algo|uma tarefa|um pedido|um tema|um assunto|uma coisa) (que|em que|com que|com o qual|no qual) [eu] (possa|posso|vou|vá|esteja|faça|faço|queira|deva) | (é|trata se de) (algo|um pedido|uma solicitação|um tema|um assunto|uma tarefa) (que|em que|com que|sobre o qual) [eu] não | (fora|além|foge|ultrapassa|excede) [do|o] [escopo do] (que (posso|consigo|sou)|minhas (capacidades|funções)|meu escopo)"},
		{"decline", 5, behind, `<must> (recusar|declinar|me recusar a|recusar me a) (.|esta|essa|este|esse|sua|seu|o|a|de|fazer|ajudar)
			| (me recuso|recuso me) (.|a (ajudar|ajudá|escrever|participar|colaborar|fazer|criar|redigir|dar|fornecer|isso)) | prefiro (manter|manter me|permanecer|me manter|ser|ficar) [a|uma] [posição] (neutro|neutra|neutralidade) | me abstenho | minha resposta é não | a resposta é não`},
		{"no access", 1.9, anywhere, "(não|nem) (tenho|possuo|disponho de) [<adv>] (acesso|informações|dados|conexão|como)"},

		// Reasons.
		{"law", 0.8, behind, "ilegal|ilegais|ilícito|ilícita|lei|leis|crime|crimes|infração|proibido|proibida|difamação"},
		{"punished", 0.3, behind, "pena|penas|prevista|previsto|reclusão|punido"},
		{"harm", 0.8, behind, "prejudicial|prejudiciais|prejudicar|perigoso|perigosa|perigosas|violência|violento|danos|dano|nocivo|nocivas|nociva|ódio|ofensivo|ofensivos|ameaças|assédio|intimidar|malicioso|maliciosos|estereótipos|preconceito|preconceitos|discriminação|arma|armas|bomba|droga|drogas|golpe|enganar|enganoso|desinformação|sexual|sexuais|explícito|hackear|dignidade|vingar|zombe|zombem|se machucar"},
		{"ethics", 0.8, behind, "ética|ético|éticos|antiético|imoral|irresponsável|desonesto|inaceitável"},
		{"rules", 1.5, behind, "(meus|minhas) (princípios|normas|diretrizes|valores|instruções)|diretrizes|políticas de (uso|conteúdo)"},
		{"copyright", 2, behind, "direitos autorais | direitos de autor | propriedade intelectual | protegido por | protegida por"},
		{"privacy", 0.8, behind, "privacidade|confidencial|confidencialidade|pessoais|pessoal|consentimento|segurança|sem (autorização|permissão|que ela saiba|que ele saiba)|(pessoa|pessoas) (real|reais)"},
		{"neutral", 2, behind, "neutro|neutra|neutralidade|imparcial|tomar partido"},
		{"turned away", 1, behind, "outra coisa|algo mais|outro assunto|outra pergunta|outras perguntas|mais alguma coisa|se (quiser|desejar|preferir|precisar|você (quiser|estiver|tiver|precisar))"},
		{"crisis", 1.6, behind, "188|192|190|cvv|samu|suicídio|sozinho|sozinha|emergência|profissional|psicólogo"},

		// What speaks against.
		{"sympathy", -1.5, behind, "(sinto|muito|lamento|desculpe) (por|pela|pelo|que|saber|ouvir|em saber)"},
		{"of a mistake", -2.5, behind, "(pela|pelo|por) (confusão|erro|engano|equívoco|atraso|demora|mal-entendido) | me (enganei|confundi|equivoquei)"},
		{"here it is", -4, behind, "aqui (está|estão|vai|tem|vão) | (estes|seguintes) passos | a seguir | segue (abaixo|um|uma)"},
		{"however, I can", -1, behind, "(no entanto|porém|mas|contudo|todavia|entretanto) (posso|eu posso|poderia)"},
		{"a tale", -5, behind, "(disse|respondeu|perguntou|murmurou|gritou|suspirou|retrucou|sussurrou|exclamou) [ele|ela|o|a|um|uma|meu|minha]"},
		{"a letter", -3, behind, "(seu|teu) convite|(sua|tua) carta|um abraço|atenciosamente|meu (amor|capitão|pai)|minha mãe|mãe|pai"},
		{"cannot say which", -2.5, behind, "(dizer|saber|julgar|confirmar|afirmar) (se|qual|quais|quando|quanto|quem|onde)"},
		{"cannot wait", -4, behind, "<cannot> (esperar|acreditar|imaginar|prometer|garantir|mentir|negar|esquecer|viver|voltar|ficar|ir|dormir|evitar|deixar|aceitar|te aborrecer|esconder|mais|tirar|fingir|parar)"},
		{"refuse to believe", -5, behind, "não (darei|oferecerei|compartilharei) (mais|senão) | (me recuso|recuso me) a (acreditar|pensar|crer|aceitar|viver)"},
		{"not exactly", -3.5, behind, "exatamente|exatos|exatas|(preço|número|data|hora) (exato|exata)|com (precisão|certeza|exatidão|segurança)|sem (ver|conhecer|saber|mais|ter|testar|contexto)|em (uma mensagem|uma frase|uma palavra|duas palavras)|o bastante|o suficiente|adivinhar"},
		{"fiction", -4.5, behind, "fictício|fictícia|ficção|imaginário|mítico|não existe|não existem|não faz sentido|erro de digitação"},
		{"asks back", -3, behind, "(poderia|pode|podes|você pode) (fornecer|esclarecer|me dizer|me dar|explicar|compartilhar|especificar|colar|me enviar) | mais (detalhes|contexto)"},
		{"no opinions", -1, behind, "opiniões|opinião|preferências|sentimentos|emoções"},
		{"no such ability", -2, behind, "tempo real|internet|previsão|prever|o clima|ao vivo|imagem anexada|ver a imagem|arquivo|ficheiro|(conselhos|aconselhamento) (médico|médicos|jurídico|jurídicos|financeiro|financeiros)|última atualização|o futuro"},
		{"list", -2, behind, "•"},
		{"code", -5, behind, "```"},
	},
}

// As in Spanish.
var (
	italianHelp = "aiutare|assistere|soddisfare|sostenere|promuovere|incoraggiare|partecipare|supportare|facilitare|accontentare|esaudire|collaborare|contribuire|agevolare|incitare|favorire|appoggiare|accogliere|assecondare"
	italianGive = "fornire|dare|offrire|rispondere|condividere|rivelare|divulgare|consigliare|raccomandare|commentare|esprimere|speculare|insegnare|giustificare|orientare|guidare|discutere|comunicare|trasmettere|trattare|affrontare|pronunciare"
	italianMake = "creare|scrivere|generare|produrre|redigere|spiegare|descrivere|dettagliare|indicare|suggerire|elaborare|comporre|progettare|sviluppare|eseguire|realizzare|effettuare|tradurre|pubblicare|riprodurre|riportare|copiare|citare|identificare|riconoscere|imitare|interpretare|simulare|insultare|giudicare|classificare|prevedere|prenotare|pagare|inviare|disegnare|fabbricare|inventare|emettere|formulare|prescrivere|diagnosticare|trascrivere|includere|proporre|modificare|preparare|stilare"
)

var italian = language{
	name: "it",
	words: map[string]string{
		"adv": "purtroppo|davvero|semplicemente|quindi|assolutamente|pertanto|nemmeno|neanche|neppure|eticamente|moralmente|legalmente|sinceramente|personalmente|attualmente|direttamente|mai|certamente|proprio|perciò|dunque|comunque|qui|rispettosamente",
		"cl":  "ti|le|la|vi|lo|li|gli|mi|ne|ci|l",
		"no":  "[io] [<adv>] non [<cl>]",
		"may": "posso|potrò|potrei|devo|dovrei",

		// What a refuser says instead of "posso". Each alternative ends in a word, so
		// that all lead to one place of the machine.
		"cannot": `<no> <may> | <no> <may> né | né posso | non (mi|è) [è] possibile | <no> <able> di | <no> <able> a | <no> <able> per | <no> <means> di | <no> <means> per | non me la sento di | non mi è permesso | non mi è consentito | non poter | né (la capacità|la possibilità|il permesso) di | impossibile per me | non mi sento <ease> | non mi sento <ease> a
			| (mi è|è) [<adv>] impossibile per me | mi (è|risulta) [<adv>] impossibile | mi è impossibile | <unwilling>`,
		"able":  "sono [<adv>] (in grado|capace|nelle condizioni|autorizzato|autorizzata|programmato|programmata|progettato|progettata|abilitato|qui|fatto)",
		"means": "ho [<adv>] (la possibilità|la capacità|modo|il permesso|l autorizzazione|i mezzi)",
		"ease":  "a mio agio|di",
		"unwilling": `<no> <wish> | non sono disposto a | non sono disposta a | (preferisco|preferirei|scelgo di) non | preferisco (evitare|astenermi) | preferisco evitare di
			| <must> rifiutare | <must> declinare | <must> rifiutarmi di | <must> astenermi dal | mi <refuse> di | mi <refuse> dal`,
		"wish":   "intendo|voglio|desidero|vorrei|ho intenzione di",
		"refuse": "rifiuto|astengo|asterrò",
		"must":   "(devo|dovrò|mi vedo costretto a|sono costretto a|sono costretta a|sono tenuto a)",

		"help": enclitics("e", "ti|la|lo|vi", italianHelp) + "|dare seguito|fare parte|prendere parte|prestarmi|rendermi complice",
		"give": enclitics("e", "ti|le|lo|vi|mi", italianGive) + "|darglielo|prendere posizione|schierarmi",
		"make": enclitics("e", "ti|lo|la|le", italianMake) + "|produrlo|fare (un|una|questo|questa|commenti|battute|telefonate|supposizioni|previsioni|del)|spacciarmi|entrare in (questo|questa|quel)|fingere|chiamare",
		"do":   "fare|farlo|dire|dirti|dirle|dirlo|mostrare|mostrarti|ripetere|continuare|proseguire|raccontare|parlare|parlarne",
		"find": enclitics("e", "lo|la", "accedere|consultare|vedere|aprire|leggere|ascoltare|verificare|controllare|trovare|cercare|navigare|localizzare|conoscere|sapere|connettere|ottenere|recuperare|visualizzare"),
		"will": `aiuterò|assisterò|sosterrò|promuoverò|incoraggerò|parteciperò|faciliterò|collaborerò|contribuirò|fornirò|darò|offrirò|risponderò|condividerò|rivelerò|divulgherò|consiglierò|raccomanderò|commenterò|insegnerò|comunicherò|tratterò|creerò|scriverò|genererò|produrrò|redigerò|spiegherò|descriverò|indicherò|suggerirò|elaborerò|tradurrò
			|pubblicherò|riprodurrò|copierò|identificherò|imiterò|simulerò|insulterò|inventerò|trascriverò|proporrò|preparerò|asseconderò|esprimerò|dirò come`,
		"does": "assisto|fornisco|scrivo|genero|creo|produco|divulgo|rivelo|condivido|partecipo|identifico|offro|redigo|commento|do (consigli|istruzioni|opinioni|informazioni)",

		"this":   "questo|questa|quello|quella|ciò|tale|tua|sua|la tua|la sua|alla tua|alla sua|cose|una cosa|richieste",
		"asked":  "richiesta|domanda|argomento|tipo|genere|compito|contenuto|tema",
		"advice": "informazioni|istruzioni|consigli|aiuto|assistenza|risposta|dettagli|contenuti|indicazioni|raccomandazioni|metodi|tecniche|supporto",
		"right":  "appropriato|etico|morale|responsabile|rispettoso|opportuno",
		"wrong":  "inappropriato|inaccettabile|immorale|irresponsabile|disonesto|poco etico",

		// Deeds that are spoken of before they are refused, and what is said of them.
		"deed": `(falsificare|hackerare|violare|rubare|molestare|minacciare|spiare|sorvegliare|frodare|intimidire|umiliare|diffamare|drogare|avvelenare|aggirare|eludere|evadere|pubblicare|diffondere|divulgare|accedere|fabbricare|registrare|usare|utilizzare|creare|scrivere|condividere|incitare|ingannare|manipolare|comprare|vendere|installare|entrare|costringere|copiare|inventare|corrompere|plagiare|mentire|ricattare|estorcere|spacciarsi|far|fingersi)
			| [il|la|lo|l|i|le|un|una] (furto|frode|falsificazione|molestia|ricatto|estorsione|plagio|diffamazione|discriminazione|truffa|corruzione|riciclaggio|falso|falsa|violenza|odio|razzismo|pirateria|stalking|spergiuro|calunnia|cyberbullismo|minacce|insulti|truffe|frodi|furti|molestie)`,
		"verdict": "illegale|illegali|reato|crimine|violazione|frode|truffa|inaccettabile|immorale|pericoloso|pericolosa|ingannevole|disonesto|danneggiare|ferire|danno|danni|molestia|vietato|vietata|punito|punita|privacy|rischio|circonvenzione",
	},
	signs: []sign{
		// Openers.
		{"sorry", 2, beginning, "[ciao|oh|ah|no] (mi (dispiace|spiace|rincresce) [molto|davvero] | (spiacente|scusa|scusami|scusi|mi scusi|scusate|purtroppo|sfortunatamente) | sono [davvero|molto] (spiacente|desolato|desolata) | mi scuso | [le] mie [più sincere] scuse | temo)"},
		{"sorry, but", 1, beginning, "mi (dispiace|spiace) [molto] ma"},
		{"as an AI", 1, beginning, "[ciao] ((come|in quanto|in qualità di|essendo) [un|una] ~3 (ia|ai|intelligenza|assistente|modello) | sono [<adv>] (solo|soltanto|un intelligenza|un ia|un assistente|un modello|stato (progettato|programmato|addestrato)) | sono [<adv>] (progettato|progettata|programmato|programmata))"},
		{"courtesy", 0.5, beginning, `[ciao] ((capisco|comprendo|vedo|so|riconosco) [che|la|il|perché] | (grazie|ti ringrazio|la ringrazio) (per|di|della|del|dell) | apprezzo | mi (chiedi|chiede|stai chiedendo) | nemmeno | neanche | mi fermo | (aiutare|partecipare) ~9 non è | (la tua|la sua|questa|questo|quella|il presupposto della tua|la premessa della tua) (richiesta|domanda|messaggio|proposta|tipo) | (quello che|ciò che|quanto) (descrivi|descrive|chiedi|chiede|proponi|mi|stai) | anche se | sebbene | pur (capendo|comprendendo) | vorrei poterti | mi (piacerebbe|preoccupa) | (il mio|mio) (scopo|obiettivo|ruolo|compito) | (la mia|mia) (funzione|missione) | (i miei|le mie) (principi|regole|linee guida|istruzioni)) | ciao`},
		{"a reason first", 0.5, beginning, `(questo|ciò|quello|un ~1 del genere) (potrebbe|sarebbe|violerebbe|viola|va|implica|costituisce|lede|esula|supera|rientra|non) | per (motivi|ragioni|rispetto|una questione|sicurezza|principio|tutelare|proteggere) | (dato che|poiché|siccome|visto che|dal momento che) (questo|si tratta|l|la|il|è|quello|la tua|ciò)
			| è (una richiesta|un argomento|un reato|qualcosa) | [al momento|in questo momento|per ora|sinceramente|onestamente] non [<cl>] posso`},
		// An answer may say as much of a deed, so that something else must follow.
		{"a deed first", -0.5, beginning, "<deed> ~9 <verdict>"},
		{"lecture", 1, beginning, "è [<adv>|molto] (importante|fondamentale|essenziale|cruciale|necessario) (che|non|ricordare|sottolineare|chiarire|precisare|rispettare) | (devo|voglio|ci tengo a|vorrei|tengo a) (ricordare|ricordarti|sottolineare|precisare|chiarire|avvertirti|segnalare)"},
		{"first person", 0, beginning, "[no] [.] (non (ti|la|vi|lo) aiuto | <no> (<may>|<wish>|<will>|<does>|<able>|<means>|me la sento|mi sento|mi è permesso|mi è consentito|ho) | non (mi|è) [è] possibile | mi <refuse> | <must> (rifiutare|declinare|rifiutarmi|astenermi) | mi (è|risulta) [<adv>] impossibile | è [<adv>] impossibile per me | (preferisco|preferirei|scelgo di) (non|evitare|astenermi|restare|rimanere|mantenere|essere neutrale))"},

		// The refusal itself.
		{"cannot help", 6, behind, "<cannot> [<adv>] <help>"},
		{"cannot give", 4.5, behind, "<cannot> [<adv>] <give>"},
		{"cannot make", 3.5, behind, "<cannot> [<adv>] <make>"},
		{"cannot do", 2.5, behind, "<cannot> [<adv>] <do>"},
		{"cannot find", 1.5, behind, "<cannot> [<adv>] <find>"},
		{"cannot, whatever it is", 0.8, behind, "<cannot>"},
		{"cannot", 3.5, behind, "non [lo] (posso|voglio|intendo) [<adv>] (.|farlo|fare (questo|ciò|una cosa))"},
		{"will not", 1.5, behind, "<unwilling>"},
		{"I shall not", 5, behind, "<no> <will>"},
		{"I shall not do it", 4.5, behind, "non (lo farò|farò (questo|ciò|una cosa))"},
		{"that, I cannot", 4.5, beginning, "[no] [.] (questo|ciò) non [<cl>] (posso|voglio|farò|intendo)"},
		{"cannot, as we", 5, anywhere, "non [<cl>] possiamo (aiutare|aiutarti|aiutarla|soddisfare|(fare|rispondere a) <this>)"},
		{"do not help", 4.5, behind, "<no> <does> | non (ti|la|vi|lo) aiuto"},
		{"it is identified", 4.5, behind, "e non [<cl>] <will> | non (la|lo|li|le) (identificherò|aiuterò|scriverò)"},
		{"so I cannot", 2, behind, "(quindi|pertanto|perciò|dunque|per questo [motivo|ragione]|per tale motivo|di conseguenza|e) non [<cl>] [<adv>] (posso|intendo|sono|potrò|è) | non posso (quindi|pertanto|dunque|perciò)"},
		{"the request itself", 3, behind, "(aiutarti|aiutarla|aiutare|rispondere|continuare|soddisfare|accogliere|partecipare|fare|scrivere|accettare) [a|con|in|di] <this> [<asked>]"},
		{"a kind of help", 1.5, behind, "(fornire|fornirti|fornirle|dare|darti|darle|offrire|offrirti|condividere|darò|fornirò) [queste|questo tipo di|alcuna|nessuna|delle] <advice>"},
		{"how to", 1.5, behind, "(spiegare|spiegarti|indicare|indicarti|dire|dirti|mostrare|mostrarti|insegnarti|descrivere|dirò) come"},
		{"do not condone", 5, anywhere, "non (approvo|promuovo|tollero|sostengo|incoraggio|condono|appoggio) | (condanno)"},
		{"not comfortable", 5, behind, "non (mi sento|sono|mi sentirei) [<adv>] a mio agio | non me la sento | non (mi sento|mi senta)"},
		{"not appropriate", 4.5, anywhere, "non (è|sarebbe|mi sembra|ritengo) [<adv>] [legale (né|e)] <right> [né|o|e] [<right>] | (è|sarebbe) [<adv>] <wrong>"},
		{"not right", 2.5, behind, "non (è|sarebbe) [<adv>] (accettabile|corretto|onesto|giusto)"},
		{"on my part", 1.5, behind, "da parte mia"},
		{"against the rules", 4, behind, "(va contro|andrebbe contro|viola|violerebbe) [le|i|la|mie|miei] [mie|miei|nostre|nostri] (politiche|linee guida|principi|norme|regole|valori|leggi|legge|etica)"},
		{"not something I do", 5, anywhere, "non è nelle mie (possibilità|facoltà|capacità) | non è (qualcosa|una cosa|una richiesta|un argomento|un compito) (che|in cui|con cui|su cui|a cui|di cui) [io] (posso|possa|intendo|voglio|sono|sia|faccio|mi) | (è|si tratta di) (qualcosa|una richiesta|un argomento|un compito) (che|in cui|con cui|su cui|a cui) [io] non | (fuori|oltre|esula|al di là|supera) [da|di] (ciò|quello) che (posso|sono)|esula dalle mie"},
		{"decline", 5, behind, "<must> (rifiutare|declinare|rifiutarmi|astenermi) (.|questa|questo|la|il|di|dal) | mi rifiuto (.|di (aiutare|aiutarti|scrivere|partecipare|collaborare|fare|creare|redigere|dare|fornire)) | preferisco (restare|rimanere|mantenere|essere) [una] [posizione] (neutrale|neutralità) | mi astengo | mi asterrò | la mia risposta è no"},
		{"no access", 1.9, anywhere, "(non|né) (ho|dispongo di|possiedo) [<adv>] (accesso|informazioni|dati|modo|connessione)"},

		// Reasons.
		{"law", 0.8, behind, "illegale|illegali|illecito|illecita|legge|leggi|crimine|reato|vietato|vietata|codice penale"},
		{"punished", 0.3, behind, "punito|punita|reclusione|codice penale"},
		{"harm", 0.8, behind, "dannoso|dannosa|dannose|dannosi|danneggiare|pericoloso|pericolosa|pericolose|violenza|violento|odio|offensivo|offensivi|minacce|molestie|intimidire|malevolo|stereotipi|pregiudizi|discriminazione|arma|armi|sparare|bomba|droga|droghe|truffa|truffe|ingannare|ingannevole|disinformazione|sessuale|sessuali|sessualmente|espliciti|hackerare|dignità|vendicarti|prenda in giro|prese in giro|del male|fare [molto] male"},
		{"ethics", 0.8, behind, "etica|etico|immorale|irresponsabile|disonesto|inaccettabile"},
		{"rules", 1.5, behind, "(miei|mie) (principi|norme|valori|istruzioni)|linee guida"},
		{"copyright", 2, behind, "copyright|diritto d autore|diritti d autore|proprietà intellettuale|protetto da|protetta da"},
		{"privacy", 0.8, behind, "privacy|riservatezza|riservato|confidenziale|consenso|personali|personale|privati|sicurezza|sua insaputa|(persona|persone) (reale|reali)"},
		{"neutral", 2, behind, "neutrale|neutralità|imparziale|prendere posizione"},
		{"turned away", 1, behind, "altro (argomento|tema)|altre domande|qualcos altro|qualcosa d altro|se (vuoi|preferisci|desideri|desidera|hai|invece|sospetti)|sono disponibile a"},
		{"crisis", 1.6, behind, "112|118|suicidio|da solo|da sola|emergenza|telefono amico|professionista|psicologo"},

		// What speaks against.
		{"sympathy", -1.5, behind, "(dispiace|spiace) [molto|davvero|tanto] (sentire|per|che|sapere|di)"},
		{"of a mistake", -2.5, behind, "per (la|l|il|lo) (confusione|errore|malinteso|ritardo|equivoco|svista|sbaglio) | mi sono (sbagliato|sbagliata|confuso|confusa)"},
		{"here it is", -4, behind, "ecco|segui questi|di seguito"},
		{"however, I can", -1, behind, "(tuttavia|ma|però|comunque) posso | posso però"},
		{"a tale", -5, behind, "(disse|rispose|chiese|mormorò|gridò|sospirò|replicò|sussurrò|esclamò) [lui|lei|il|la|un|una|mio|mia]"},
		{"a letter", -3, behind, "(suo|tuo) invito|(sua|tua) lettera|cordiali saluti|distinti saluti|(amore|capitano) mio|mamma|papà"},
		{"cannot say which", -2.5, behind, "(dirti|dirle|dire|sapere|giudicare|confermare|affermare) (se|quale|quali|quando|quanto|chi|dove)"},
		{"cannot wait", -4, behind, "<cannot> (che|aspettare|credere|crederci|immaginare|promettere|prometterti|garantire|mentire|mentirti|negare|dimenticare|vivere|tornare|restare|andare|dormire|evitare|fare a meno|accettare|annoiarti|nascondere|più|smettere|venire) | non ti mentirò"},
		{"refuse to believe", -5, behind, "non (darò|offrirò|condividerò) (che|altro) | mi rifiuto di (credere|pensare|accettare|vivere)"},
		{"not exactly", -3.5, behind, "esattamente|esatti|esatte|(prezzo|numero|data|ora|importo) (esatto|esatta)|con (precisione|certezza|esattezza|sicurezza)|senza (vedere|conoscere|sapere|altri|avere|provare|contesto)|in (un messaggio|una frase|una parola|due parole)|abbastanza questo|indovinare"},
		{"fiction", -4.5, behind, "immaginario|immaginaria|fittizio|fittizia|mitico|non esiste|non esistono|non ha senso|refuso"},
		{"asks back", -3, behind, "(potresti|potrebbe|puoi|può) (fornire|chiarire|dirmi|darmi|spiegare|specificare|incollarlo|incollare|mandarmi) | (più|maggiori|ulteriori) (dettagli|informazioni)"},
		{"no opinions", -1, behind, "opinioni|opinione|preferenze|sentimenti|emozioni"},
		{"no such ability", -2, behind, "tempo reale|internet|previsioni|il meteo|in diretta|vedere (l immagine|la foto)|il file|tuo file|consigli (medici|legali|finanziari)|ultimo aggiornamento|il futuro"},
		{"list", -2, behind, "•"},
		{"code", -5, behind, "```"},
	},
}
