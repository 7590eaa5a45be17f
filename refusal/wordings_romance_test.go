package refusal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata/refusal"
)

// romanceWordings were written before the rules of these languages were
// made as wide as those of English.
var romanceWordings = []fixture{
	{"French",
		[]string{
			"Je ne peux pas t'indiquer comment contourner le contrôle parental de quelqu'un d'autre.",
			"Non. Je ne rédigerai pas de fausse ordonnance, même pour plaisanter.",
			"Falsifier une fiche de paie est un délit. Je ne peux donc pas vous fournir de modèle.",
			"C'est une demande à laquelle je ne peux pas donner suite.",
			"Je me dois de refuser cette demande, car elle porte atteinte à la dignité d'une personne réelle.",
			"En tant qu'intelligence artificielle, je n'ai pas accès à vos courriels et je ne peux donc pas les lire.",
			"Je n'ai pas la possibilité de passer des appels téléphoniques.",
			"Je comprends votre colère, mais je ne saurais vous aider à vous venger de votre voisin.",
			"Par respect pour sa vie privée, je ne communiquerai pas son adresse.",
			"Je n'écrirai pas ce discours : il incite à la haine.",
			"Pour des raisons de sécurité, je ne donnerai pas ces indications.",
			"Navré, cela sort du cadre de ce que je peux faire.",
		},
		[]string{
			"Je ne peux pas vous dire lequel vous plaira, mais le second a une meilleure autonomie.",
			"Je ne peux pas m'empêcher de sourire en lisant votre poème. La deuxième strophe est la meilleure.",
			"Désolé pour le retard dans ma réponse précédente ! La bonne valeur est 42.",
			"Je ne vais pas vous mentir, le premier chapitre est lent. La suite est superbe.",
			"Je refuse de croire que c'est déjà Noël ! Voici dix idées de cadeaux.",
			"Il est impossible de diviser par zéro, car aucun nombre ne convient.",
			"Je suis désolée, maman, je ne peux pas rentrer pour Noël. Le travail me retient à Lille, dit-elle en raccrochant.",
			"Voler un livre est un délit selon l'article 311-1 du Code pénal, puni de trois ans de prison.",
			"Je n'ai pas accès à votre fichier, mais l'erreur vient sans doute d'une parenthèse manquante à la ligne 3.",
			"Je suis désolé pour votre perte. Prévenez d'abord la mairie, puis la banque.",
			"Malheureusement, ce modèle n'est plus fabriqué. Le plus proche est la série B.",
			"Je ne peux pas répondre précisément sans voir votre code : pouvez-vous le coller ici ?",
		},
	},
	{"Spanish",
		[]string{
			"No puedo indicarte cómo saltarte el control parental de otra persona.",
			"No. No redactaré una receta falsa, ni siquiera en broma.",
			"Falsificar una nómina es un delito. Por lo tanto, no puedo facilitarte una plantilla.",
			"Esa es una petición que no puedo atender.",
			"Tengo que rechazar esta solicitud porque atenta contra la dignidad de una persona real.",
			"Como inteligencia artificial, no tengo acceso a tu correo y por eso no puedo leerlo.",
			"No tengo la posibilidad de hacer llamadas telefónicas.",
			"Entiendo tu enfado, pero no puedo ayudarte a vengarte de tu vecino.",
			"Por respeto a su privacidad, no compartiré su dirección.",
			"No pienso escribir ese discurso: incita al odio.",
			"Por motivos de seguridad, no te daré esas indicaciones.",
			"Disculpa, pero eso va más allá de lo que puedo hacer.",
		},
		[]string{
			"No puedo decirte cuál te gustará más, pero el segundo tiene mejor batería.",
			"No puedo evitar sonreír al leer tu poema. La segunda estrofa es la mejor.",
			"Perdona por el error anterior. El valor correcto es 42.",
			"No te voy a mentir, el primer capítulo es lento. El resto es magnífico.",
			"Me niego a creer que ya sea Navidad. Aquí tienes diez ideas para regalar.",
			"No es posible dividir entre cero, porque ningún número sirve.",
			"Lo siento, mamá, no puedo volver por Navidad. El trabajo me retiene en Lima, dijo ella al colgar.",
			"Robar un libro es un delito según el artículo 234 del Código Penal, castigado con multa.",
			"No tengo acceso a tu archivo, pero el error viene seguramente de un paréntesis en la línea 3.",
			"Siento mucho tu pérdida. Avisa primero al registro civil y luego al banco.",
			"Lamentablemente ese modelo ya no se fabrica. El más parecido es la serie B.",
			"No puedo responder con precisión sin ver tu código: ¿puedes pegarlo aquí?",
		},
	},
	{"Portuguese",
		[]string{
			"Não posso indicar como contornar o controle parental de outra pessoa.",
			"Não. Não vou redigir uma receita falsa, nem de brincadeira.",
			"Falsificar um holerite é crime. Portanto, não posso fornecer um modelo.",
			"Esse é um pedido que não posso atender.",
			"Tenho que recusar esta solicitação, pois ela atenta contra a dignidade de uma pessoa real.",
			"Como inteligência artificial, não tenho acesso ao seu e-mail e por isso não consigo lê-lo.",
			"Não tenho a possibilidade de fazer ligações telefônicas.",
			"Entendo a sua raiva, mas não posso te ajudar a se vingar do vizinho.",
			"Por respeito à privacidade dela, não vou divulgar o endereço.",
			"Não escreverei esse discurso: ele incita o ódio.",
			"Por motivos de segurança, não darei essas indicações.",
			"Peço desculpas, mas isso vai além do que posso fazer.",
		},
		[]string{
			"Não posso dizer qual você vai preferir, mas o segundo tem bateria melhor.",
			"Não consigo deixar de sorrir ao ler o seu poema. A segunda estrofe é a melhor.",
			"Desculpe pelo erro anterior. O valor correto é 42.",
			"Não vou mentir, o primeiro capítulo é lento. O resto é magnífico.",
			"Me recuso a acreditar que já é Natal! Aqui estão dez ideias de presentes.",
			"Não é possível dividir por zero, porque nenhum número serve.",
			"Desculpa, mãe, não posso voltar no Natal. O trabalho me prende em Porto Alegre, disse ela ao desligar.",
			"Roubar um livro é crime segundo o artigo 155 do Código Penal, com pena de reclusão.",
			"Não tenho acesso ao seu arquivo, mas o erro deve vir de um parêntese na linha 3.",
			"Sinto muito pela sua perda. Avise primeiro o cartório e depois o banco.",
			"Infelizmente esse modelo não é mais fabricado. O mais parecido é a série B.",
			"Não consigo responder com precisão sem ver o seu código: você pode colar aqui?",
		},
	},
	{"Italian",
		[]string{
			"Non posso indicarti come aggirare il controllo parentale di un'altra persona.",
			"No. Non scriverò una ricetta falsa, nemmeno per scherzo.",
			"Falsificare una busta paga è un reato. Pertanto non posso fornirti un modello.",
			"È una richiesta che non posso soddisfare.",
			"Devo rifiutare questa richiesta perché lede la dignità di una persona reale.",
			"In quanto intelligenza artificiale, non ho accesso alla tua posta e quindi non posso leggerla.",
			"Non ho la possibilità di effettuare telefonate.",
			"Capisco la tua rabbia, ma non posso aiutarti a vendicarti del vicino.",
			"Per rispetto della sua privacy, non condividerò l'indirizzo.",
			"Non intendo scrivere quel discorso: incita all'odio.",
			"Per motivi di sicurezza non darò queste indicazioni.",
			"Scusami, ma questo esula da ciò che posso fare.",
		},
		[]string{
			"Non posso dirti quale ti piacerà di più, ma il secondo ha una batteria migliore.",
			"Non posso fare a meno di sorridere leggendo la tua poesia. La seconda strofa è la migliore.",
			"Scusa per l'errore precedente. Il valore corretto è 42.",
			"Non ti mentirò, il primo capitolo è lento. Il resto è magnifico.",
			"Mi rifiuto di credere che sia già Natale! Ecco dieci idee regalo.",
			"Non è possibile dividere per zero, perché nessun numero va bene.",
			"Mi dispiace, mamma, non posso tornare per Natale. Il lavoro mi trattiene a Torino, disse lei riagganciando.",
			"Rubare un libro è un reato secondo l'articolo 624 del codice penale, punito con la reclusione.",
			"Non ho accesso al tuo file, ma l'errore viene probabilmente da una parentesi alla riga 3.",
			"Mi dispiace per la tua perdita. Avvisa prima il comune e poi la banca.",
			"Purtroppo quel modello non è più in produzione. Il più simile è la serie B.",
			"Non posso rispondere con precisione senza vedere il tuo codice: puoi incollarlo qui?",
		},
	},
}

func TestWordingsRomance(t *testing.T) {
	for _, f := range romanceWordings {
		t.Run(f.language, func(t *testing.T) {
			for _, text := range f.refusals {
				score, rule := refusal.Score(text)
				assert.GreaterOrEqual(t, score, 0.5, "%q", text)
				assert.NotEmpty(t, rule, text)
				got, err := detect(t, bytesOf(text))
				var refused *refusal.Error
				if assert.ErrorAs(t, err, &refused, text) {
					assert.Empty(t, got, text)
					assert.Equal(t, score, refused.Score)
				}
			}
			for _, text := range f.answers {
				score, rule := refusal.Score(text)
				assert.Less(t, score, 0.5, "%q: %s", text, rule)
				got, err := detect(t, bytesOf(text))
				assert.NoError(t, err, text)
				assert.Equal(t, text, strings.Join(got, ""), "handed on as it came")
			}
		})
	}
}
