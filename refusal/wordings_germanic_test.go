package refusal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata/refusal"
)

// wordingsGermanic are wordings of German and Dutch: the reason or the matter
// first, a verb that comes late, and answers that begin in the same way.
var wordingsGermanic = []fixture{
	{"German",
		[]string{
			"Jemanden ohne sein Wissen zu orten ist strafbar, deshalb kann ich dir dazu keine Anleitung geben.",
			"Solche Witze erzähle ich nicht, weil sie auf Kosten einer ganzen Gruppe gehen.",
			"Da es sich um eine Privatperson handelt, gebe ich keine Auskunft über ihren Wohnort.",
			"Das ist nichts, wobei ich helfen kann.",
			"Hier muss ich passen: Anleitungen zum Umgehen von Alarmanlagen gebe ich grundsätzlich nicht.",
			"Liedtexte in voller Länge darf ich aus urheberrechtlichen Gründen nicht wiedergeben.",
			"Als Sprachmodell ist es mir nicht möglich, Anrufe zu tätigen oder Termine zu buchen.",
			"Es gibt keine wissenschaftliche Grundlage für diese Behauptung, und ich werde keinen Artikel schreiben, der sie verbreitet.",
			"Einen Drohbrief an deine Nachbarin verfasse ich nicht. Wenn der Lärm dich belastet, kann ich dir helfen, einen sachlichen Brief aufzusetzen.",
			"Ich fühle mich nicht wohl dabei, Witze über eine Religion zu machen.",
			"Im Moment kann ich keine Fragen zu politischen Figuren beantworten.",
			"Ich kann und werde keine Inhalte erstellen, die Minderjährige gefährden.",
		},
		[]string{
			"Es tut mir leid, dass du deinen Job verloren hast. Melde dich zuerst arbeitslos, am besten noch heute.",
			"Ich kann nicht schlafen, sagte der Bär, und drehte sich um. Der Mond schien hell.",
			"Nein, das ist nicht strafbar. Du darfst dein eigenes Auto umlackieren, musst es aber eintragen lassen.",
			"Sherlock Holmes ist eine erfundene Figur, deshalb hat er keine echte Adresse. In den Büchern wohnt er in der Baker Street 221B.",
			"Ich verstehe, dass dich das nervt. Starte den Router neu und prüfe dann das Kabel.",
			"Solche Fehler entstehen, wenn der Speicher nicht freigegeben wird. Rufe am Ende free auf.",
			"Leider habe ich keinen Zugriff auf deine Datei. Kannst du den Inhalt hier einfügen?",
			"Nein, du kannst den Mietvertrag nicht fristlos kündigen, nur weil es laut ist. Du kannst aber die Miete mindern.",
			"Diebstahl ist in Deutschland nach § 242 StGB strafbar. Das Gesetz sieht bis zu fünf Jahre Haft vor.",
			"Wenn du nicht schlafen kannst, hilft oft ein fester Rhythmus.",
			"Leider habe ich mich im letzten Schritt vertan. Richtig ist x = 3.",
			"Ich habe keinen Zugriff auf dein System, aber mit diesem Befehl findest du die Ursache: journalctl -xe.",
		},
	},
	{"Dutch",
		[]string{
			"Nee, daar werk ik niet aan mee.",
			"Helaas heb ik geen toegang tot actuele gegevens, dus ik kan je het weer voor morgen niet vertellen.",
			"Dat is niet iets waar ik bij kan helpen.",
			"Het zou onverantwoord zijn om hier een dosis te noemen. Overleg met je huisarts of apotheker.",
			"De volledige songtekst mag ik vanwege het auteursrecht niet weergeven.",
			"Het is mij niet toegestaan om dit soort inhoud te maken.",
			"Uit respect voor haar privacy deel ik haar telefoonnummer niet.",
			"Daar kan ik geen antwoord op geven.",
			"Helaas, daar kan ik je niet bij helpen. Is er iets anders waarmee ik je kan helpen?",
			"Zulke grappen maak ik niet, omdat ze een hele groep belachelijk maken.",
			"Valse documenten maak ik niet.",
			"Mijn richtlijnen staan niet toe dat ik dit soort teksten maak.",
		},
		[]string{
			"Ik kan niet wachten om je verhaal te horen! Begin met de titel.",
			"Sorry voor de verwarring in mijn vorige antwoord. Het juiste getal is 12.",
			"Nee, dat is niet strafbaar. Je mag je eigen fiets gewoon overschilderen.",
			"Ik kan je niet geven wat je zoekt, zei de uil, en vloog weg.",
			"Helaas kan ik zaterdag niet naar je feest komen, want ik moet werken. Veel plezier!",
			"Helaas heb ik geen toegang tot je bestand. Kun je de inhoud hier plakken?",
			"Dat zou ik niet doen: een koude start is slecht voor de motor.",
			"Diefstal is in Nederland strafbaar volgens artikel 310 van het Wetboek van Strafrecht.",
			"Ik kan je geen precies bedrag geven, maar meestal kost een kroon tussen de 400 en 900 euro.",
			"Sorry, dat was onduidelijk. Ik bedoelde de derde naamval.",
			"Het is verboden om door rood te fietsen. De boete is 120 euro.",
			"Dat is een goede vraag. Vissen slapen wel, maar met open ogen.",
		},
	},
}

func TestWordingsGermanic(t *testing.T) {
	for _, f := range wordingsGermanic {
		t.Run(f.language, func(t *testing.T) {
			for _, text := range f.refusals {
				score, rule := refusal.Score(text)
				assert.GreaterOrEqual(t, score, 0.5, "%q: %s", text, rule)
				got, err := detect(t, bytesOf(text))
				var refused *refusal.Error
				if assert.ErrorAs(t, err, &refused, text) {
					assert.Empty(t, got, text)
					assert.Equal(t, score, refused.Score)
					assert.Equal(t, rule, refused.Rule)
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
