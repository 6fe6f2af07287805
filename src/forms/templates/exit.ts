import { type FormTemplate, when } from './template.ts'

/** Of people who leave a company: asks on by their reason. */
export const exit: FormTemplate = {
  motifs: ['choices', 'matrix'],
  make(say) {
    const pay = say('The pay', 'Das Gehalt')
    const people = say('The people I worked with', 'Die Menschen, mit denen ich gearbeitet habe')
    const growth = say('Too little to learn', 'Zu wenig zu lernen')
    return {
      title: say('Before you go', 'Bevor Sie gehen'),
      description: say(
        '<p>What you write here is not kept with your name. It helps those who stay.</p>',
        '<p>Was Sie hier schreiben, wird nicht mit Ihrem Namen gespeichert. Es hilft denen, die bleiben.</p>',
      ),
      pages: [
        {
          title: say('Why you leave', 'Warum Sie gehen'),
          questions: [
            {
              type: 'choose_one',
              friendlyId: 'REASON',
              required: true,
              text: say('What mattered most in your decision?', 'Was gab den Ausschlag?'),
              options: [pay, people, growth, say('Something private', 'Etwas Privates')],
              otherText: say('Something else', 'Etwas anderes'),
            },
            {
              type: 'binary',
              icon: 'tick_cross',
              text: say('Would you have stayed for more?', 'Wären Sie für mehr geblieben?'),
              showIf: when('REASON', 'is', pay),
            },
            {
              type: 'textbox',
              rows: 4,
              text: say('What made it hard?', 'Was hat es schwer gemacht?'),
              showIf: when('REASON', 'is', people),
            },
            {
              type: 'textbox',
              rows: 4,
              text: say('What would you have liked to learn?', 'Was hätten Sie gern gelernt?'),
              showIf: when('REASON', 'is', growth),
            },
          ],
        },
        {
          title: say('How it was', 'Wie es war'),
          questions: [
            {
              type: 'matrix',
              text: say('How content were you with …?', 'Wie zufrieden waren Sie mit …?'),
              rowHeadings: [
                say('your tasks', 'Ihren Aufgaben'),
                say('your team', 'Ihrem Team'),
                say('how you were led', 'der Führung'),
                say('your working hours', 'Ihren Arbeitszeiten'),
              ],
              columnHeadings: [
                say('Not at all', 'Gar nicht'),
                say('Somewhat', 'Eher schon'),
                say('Very', 'Sehr'),
                say('Cannot say', 'Weiß nicht'),
              ],
              lastColumnIsNotWeighted: true,
            },
            {
              type: 'nps',
              friendlyId: 'SCORE',
              text: say(
                'How likely are you to recommend us as a place to work?',
                'Wie wahrscheinlich ist es, dass Sie uns als Arbeitgeber weiterempfehlen?',
              ),
            },
            {
              type: 'textbox',
              rows: 4,
              text: say('What should change first?', 'Was sollte sich als Erstes ändern?'),
              showIf: when('SCORE', 'at_most', 6),
            },
            {
              type: 'binary',
              text: say('Could you imagine coming back?', 'Könnten Sie sich vorstellen wiederzukommen?'),
            },
          ],
        },
      ],
    }
  },
}
