import * as answer from '../answers.ts'
import type { DemoForm } from './form.ts'

const isSolved = answer.settled(answer.content)

/* Asks on where a problem is not solved, ends in another way then, and does both in three languages. */
export const support: DemoForm = {
  form: {
    title: 'How was our help?',
    description: 'Tell us how we did: it takes half a minute.',
    active: true,
    ends: [
      {
        showIf: { match: 'all', conditions: [{ question: 'SOLVED', op: 'is', value: false }] },
        thanks:
          '<p><strong>Thank you for telling us.</strong></p><p>Just answer our last mail, and we go on looking into it.</p>',
        redirect: null,
      },
    ],
  },
  settings: { thanks: '<p><strong>Thank you!</strong></p><p>We pass it on to those who helped you.</p>' },
  workspace: 'main',
  createdDaysAgo: 84,
  responses: 610,
  abandoned: 0.04,
  named: 0,
  pages: [
    {
      questions: [
        {
          ask: {
            type: 'binary',
            text: 'Is your problem solved?',
            trueLabel: 'Solved',
            falseLabel: 'Not yet',
            icon: 'faces',
            required: true,
            friendlyId: 'SOLVED',
          },
          answer: isSolved,
        },
        {
          ask: {
            type: 'textbox',
            text: 'What is still open?',
            rows: 3,
            friendlyId: 'STILL_OPEN',
            showIf: { match: 'all', conditions: [{ question: 'SOLVED', op: 'is', value: false }] },
          },
          answer: (who) => (isSolved(who) ? null : stillOpen(who)),
        },
        { ask: { type: 'star_rating', text: 'How was the help you got?', required: true }, answer: answer.rated(1, 5) },
        {
          ask: {
            type: 'likert',
            text: 'How did it feel?',
            scales: [
              { text: 'Slow', opposingText: 'Quick' },
              { text: 'Impersonal', opposingText: 'Friendly' },
            ],
          },
          answer: answer.sometimes(0.9, answer.each(2, 'scale', 'value', answer.rated(1, 5))),
        },
        {
          ask: { type: 'textbox', text: 'Anything you would like to add?', rows: 3 },
          answer: answer.sometimes(
            0.45,
            answer.inOwnLanguage(answer.remarkOnSupport, {
              de: answer.says(['Sehr freundlich, danke.', 'Beim nächsten Mal gern etwas schneller.', 'Alles bestens.']),
              da: answer.says(['Venlig og hurtig hjælp.', 'Det tog lidt lang tid.']),
            }),
          ),
        },
      ],
    },
  ],
  translations: {
    de: {
      share: 0.2,
      texts: {
        'How was our help?': 'Wie war unsere Hilfe?',
        'Tell us how we did: it takes half a minute.':
          'Sagen Sie uns, wie wir es gemacht haben: Es dauert eine halbe Minute.',
        'Is your problem solved?': 'Ist Ihr Problem gelöst?',
        Solved: 'Gelöst',
        'Not yet': 'Noch nicht',
        'What is still open?': 'Was ist noch offen?',
        'How was the help you got?': 'Wie war die Hilfe, die Sie bekommen haben?',
        'How did it feel?': 'Wie haben Sie es empfunden?',
        Slow: 'Langsam',
        Quick: 'Schnell',
        Impersonal: 'Unpersönlich',
        Friendly: 'Freundlich',
        'Anything you would like to add?': 'Möchten Sie noch etwas hinzufügen?',
        '<p><strong>Thank you!</strong></p><p>We pass it on to those who helped you.</p>':
          '<p><strong>Danke!</strong></p><p>Wir geben es an alle weiter, die Ihnen geholfen haben.</p>',
        '<p><strong>Thank you for telling us.</strong></p><p>Just answer our last mail, and we go on looking into it.</p>':
          '<p><strong>Danke, dass Sie es uns sagen.</strong></p><p>Antworten Sie einfach auf unsere letzte E-Mail, dann kümmern wir uns weiter darum.</p>',
      },
    },
    da: {
      share: 0.1,
      texts: {
        'How was our help?': 'Hvordan var vores hjælp?',
        'Tell us how we did: it takes half a minute.': 'Fortæl os, hvordan vi klarede det: Det tager et halvt minut.',
        'Is your problem solved?': 'Er dit problem løst?',
        Solved: 'Løst',
        'Not yet': 'Ikke endnu',
        'What is still open?': 'Hvad mangler der stadig?',
        'How was the help you got?': 'Hvordan var den hjælp, du fik?',
        'How did it feel?': 'Hvordan oplevede du den?',
        Slow: 'Langsom',
        Quick: 'Hurtig',
        Impersonal: 'Upersonlig',
        Friendly: 'Venlig',
        'Anything you would like to add?': 'Er der noget, du vil tilføje?',
        '<p><strong>Thank you!</strong></p><p>We pass it on to those who helped you.</p>':
          '<p><strong>Tak!</strong></p><p>Vi giver det videre til dem, der hjalp dig.</p>',
        '<p><strong>Thank you for telling us.</strong></p><p>Just answer our last mail, and we go on looking into it.</p>':
          '<p><strong>Tak, fordi du siger det.</strong></p><p>Svar bare på vores seneste mail, så arbejder vi videre med det.</p>',
      },
    },
  },
}

const stillOpen = answer.inOwnLanguage(
  answer.says([
    'The calendar still shows the old prices.',
    'I am waiting for the refund.',
    'The second guest gets no email.',
    'Nobody has called me back yet.',
  ]),
  {
    de: answer.says(['Der Kalender zeigt noch die alten Preise.', 'Ich warte auf einen Rückruf.']),
    da: answer.says(['Jeg venter stadig på pengene.', 'Gæsten får ingen mail.']),
  },
)
