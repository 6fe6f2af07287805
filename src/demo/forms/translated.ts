import * as answer from '../answers.ts'
import logo from '../files/logo.png' with { type: 'file' }
import { type DemoForm, visible } from './form.ts'

/* The feedback form in other languages, each in the house’s colour and with its logo. */

const look = { accent: '#0f8f80', logo }
/** Where people were invited. */
const campaigns = ['newsletter', 'invoice', 'front_desk'] as const

export const satisfactionInGerman: DemoForm = {
  form: {
    title: 'Wie zufrieden sind Sie mit uns?',
    description: '<p>Vier Fragen, <strong>eine Minute</strong>. Wir lesen jede Antwort.</p>',
    active: true,
  },
  settings: {
    ...look,
    language: 'de',
    thanks:
      '<p><strong>Herzlichen Dank!</strong></p><p>Ihre Antworten helfen uns, jeden Tag ein wenig besser zu werden.</p>',
    hidden: ['campaign'],
    notify: ['robin.adeyemi@harbourandpine.example'],
  },
  campaigns,
  workspace: 'main',
  createdDaysAgo: 40,
  responses: 60,
  abandoned: 0.05,
  named: 0.3,
  pages: [
    {
      questions: [
        {
          ask: {
            type: 'nps',
            text: 'Wie wahrscheinlich ist es, dass Sie Harbour &amp; Pine weiterempfehlen?',
            required: true,
            friendlyId: 'RECOMMEND',
          },
          answer: answer.rated(0, 10),
        },
        {
          ask: {
            type: 'choose_one',
            text: 'Was betreiben Sie?',
            options: ['Pension oder Hotel', 'Studio oder Kurse', 'Veranstaltungsort', 'Vermietung'],
            otherText: 'Etwas anderes',
            friendlyId: 'BUSINESS',
          },
          answer: answer.oneOf({
            'Pension oder Hotel': 5,
            'Studio oder Kurse': 3,
            Veranstaltungsort: 2,
            Vermietung: 1,
          }),
        },
        {
          ask: { type: 'textbox', text: 'Was können wir besser machen?', rows: 4 },
          answer: answer.sometimes(
            0.5,
            answer.says([
              'Die Suche könnte schneller sein.',
              'Nichts, bitte so weitermachen!',
              'Eine Übersicht für das Reinigungsteam fehlt uns.',
              'Mehr Vorlagen für E-Mails an Gäste, bitte.',
            ]),
          ),
        },
        {
          ask: {
            type: 'contact_details',
            text: 'Dürfen wir uns bei Ihnen melden?',
            contactFields: [
              { field: 'first_name', label: 'Vorname', visible: true },
              { field: 'last_name', label: 'Nachname', visible: true },
              { field: 'email', label: 'E-Mail', visible: true },
            ],
          },
          answer: answer.details('first_name', 'last_name', 'email'),
        },
      ],
    },
  ],
}

export const satisfactionInArabic: DemoForm = {
  form: {
    title: 'ما مدى رضاك عنا؟',
    description: '<p>ثلاثة أسئلة، <strong>دقيقة واحدة</strong>. نقرأ كل إجابة.</p>',
    active: true,
  },
  settings: {
    ...look,
    language: 'ar',
    thanks: '<p><strong>شكرًا جزيلًا!</strong></p><p>إجاباتك تساعدنا على أن نتحسن كل يوم.</p>',
    hidden: ['campaign'],
  },
  campaigns,
  workspace: 'main',
  createdDaysAgo: 30,
  responses: 25,
  abandoned: 0.05,
  named: 0.3,
  pages: [
    {
      questions: [
        {
          ask: {
            type: 'nps',
            text: 'ما مدى احتمال أن توصي بخدمة Harbour &amp; Pine؟',
            required: true,
            friendlyId: 'RECOMMEND',
          },
          answer: answer.rated(0, 10),
        },
        {
          ask: { type: 'star_rating', text: 'ما مدى سهولة عملك اليومي معنا؟', required: true },
          answer: answer.rated(1, 5),
        },
        {
          ask: {
            type: 'contact_details',
            text: 'هل يمكننا التواصل معك؟',
            contactFields: visible('first_name', 'email'),
          },
          answer: answer.details('first_name', 'email'),
        },
      ],
    },
  ],
}
