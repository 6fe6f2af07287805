import { type FormTemplate, from } from './template.ts'

/** What is true counts 1 where that is right, and what is false where that is: the score decides how it ends. */
export const quiz: FormTemplate = {
  motifs: ['thumbs', 'sum'],
  mode: 'step',
  make(say) {
    const statement = (friendlyId: string, text: string) => ({
      type: 'binary' as const,
      friendlyId,
      required: true as const,
      icon: 'tick_cross',
      text,
      trueLabel: say('True', 'Stimmt'),
      falseLabel: say('False', 'Stimmt nicht'),
    })
    return {
      title: say('How well do you know coffee?', 'Wie gut kennen Sie Kaffee?'),
      description: say('<p>Five statements: true or false?</p>', '<p>Fünf Aussagen: Stimmt das?</p>'),
      variables: [{ name: 'SCORE', formula: '{CHERRY} + (1 - {ROAST}) + {ETHIOPIA} + (1 - {BOILING}) + {WATER}' }],
      pages: [
        {
          questions: [
            statement(
              'CHERRY',
              say('Coffee beans are the seeds of a fruit.', 'Kaffeebohnen sind die Samen einer Frucht.'),
            ),
            statement(
              'ROAST',
              say(
                'Dark roasts hold far more caffeine than light ones.',
                'Dunkle Röstungen enthalten viel mehr Koffein als helle.',
              ),
            ),
            statement(
              'ETHIOPIA',
              say('Arabica coffee comes from Ethiopia.', 'Arabica-Kaffee stammt ursprünglich aus Äthiopien.'),
            ),
            statement(
              'BOILING',
              say(
                'Filter coffee is best brewed with boiling water.',
                'Filterkaffee brüht man am besten mit kochendem Wasser.',
              ),
            ),
            statement(
              'WATER',
              say(
                'A cup of filter coffee is more than 97 % water.',
                'Eine Tasse Filterkaffee besteht zu mehr als 97 % aus Wasser.',
              ),
            ),
          ],
        },
      ],
      ends: [
        {
          showIf: from('SCORE', 5),
          thanks: say(
            '<p><strong>{SCORE} of 5: all of it right!</strong></p><p>There is nothing that we could tell you.</p>',
            '<p><strong>{SCORE} von 5: alles richtig!</strong></p><p>Ihnen können wir nichts mehr erzählen.</p>',
          ),
        },
        {
          showIf: from('SCORE', 3),
          thanks: say(
            '<p><strong>{SCORE} of 5: well done!</strong></p><p>You know more than most.</p>',
            '<p><strong>{SCORE} von 5: gut gemacht!</strong></p><p>Sie wissen mehr als die meisten.</p>',
          ),
        },
        {
          showIf: null,
          thanks: say(
            '<p><strong>{SCORE} of 5.</strong></p><p>Come by for a cup: we are happy to tell you more.</p>',
            '<p><strong>{SCORE} von 5.</strong></p><p>Kommen Sie auf eine Tasse vorbei: Wir erzählen Ihnen gern mehr.</p>',
          ),
        },
      ],
    }
  },
}
