import { type CorpusMail, eml, SETUP } from './mail.ts'

const to = ['help@acme.test']
const ADA = 'Ada Byron <ada@customer.example>'

/** What programs answer for people. */
export const automatic: readonly CorpusMail[] = [
  {
    name: 'out of office, Exchange in English',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: Automatic reply: Where is my order?
Message-ID: <ooo-en@customer.example>
In-Reply-To: ${SETUP.answer}
References: ${SETUP.answer}
X-Auto-Response-Suppress: All
Auto-Submitted: auto-generated
Content-Type: text/plain; charset="us-ascii"

I am out of the office until Monday.
`,
    expected: {
      from: ADA,
      to,
      subject: 'Automatic reply: Where is my order?',
      newText: 'I am out of the office until Monday.',
      references: [SETUP.answer],
      isAutomatic: true,
    },
    outcome: 'threaded',
    envelopeFrom: '',
  },
  {
    name: 'out of office, in German, which only the return path tells',
    raw: eml`
Return-Path: <>
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: =?iso-8859-1?Q?Abwesenheitsnotiz:_R=FCckkehr_am_Montag?=
Message-ID: <ooo-de@customer.example>
References: ${SETUP.answer}
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Ich bin ab Montag wieder im B=FCro.
`,
    expected: {
      from: ADA,
      to,
      subject: 'Abwesenheitsnotiz: Rückkehr am Montag',
      newText: 'Ich bin ab Montag wieder im Büro.',
      references: [SETUP.answer],
      isAutomatic: true,
    },
    outcome: 'threaded',
    envelopeFrom: '',
  },
  {
    name: 'out of office, Gmail in French',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: =?UTF-8?Q?R=C3=A9ponse_automatique_:_absente?=
Message-ID: <ooo-fr@customer.example>
In-Reply-To: ${SETUP.answer}
Precedence: auto_reply
X-Autoreply: yes
Auto-Submitted: auto-replied
Content-Type: text/plain; charset=utf-8

Je suis absente jusqu'à lundi.
`,
    expected: {
      from: ADA,
      to,
      subject: 'Réponse automatique : absente',
      newText: "Je suis absente jusqu'à lundi.",
      references: [SETUP.answer],
      isAutomatic: true,
    },
    outcome: 'threaded',
    envelopeFrom: '',
  },
  {
    name: 'out of office, in Spanish, as bulk mail',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: Respuesta =?UTF-8?B?YXV0b23DoXRpY2E=?=
Message-ID: <ooo-es@customer.example>
In-Reply-To: ${SETUP.answer}
Precedence: Bulk
Content-Type: text/plain; charset=utf-8

Estoy fuera de la oficina.
`,
    expected: {
      from: ADA,
      to,
      subject: 'Respuesta automática',
      newText: 'Estoy fuera de la oficina.',
      references: [SETUP.answer],
      isAutomatic: true,
    },
    outcome: 'threaded',
  },
  {
    name: 'out of office, in Japanese, from somebody unknown',
    raw: eml`
From: yamada@engine.example
To: help@acme.test
Subject: =?ISO-2022-JP?B?GyRCSVQ6XxsoQg==?=
Message-ID: <ooo-ja@engine.example>
X-Autoreply: yes
Content-Type: text/plain; charset=utf-8

月曜日まで不在です。
`,
    expected: {
      from: 'yamada@engine.example',
      to,
      subject: '不在',
      newText: '月曜日まで不在です。',
      isAutomatic: true,
    },
    outcome: 'created',
  },
  {
    name: 'a receipt of reading',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: Read: Where is my order?
Message-ID: <mdn@customer.example>
References: ${SETUP.answer}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=disposition-notification; boundary=b

--b

Your message was read.
--b
Content-Type: message/disposition-notification

Final-Recipient: rfc822;ada@customer.example
Original-Message-ID: ${SETUP.answer}
Disposition: manual-action/MDN-sent-manually; displayed
--b--
`,
    expected: {
      from: ADA,
      to,
      subject: 'Read: Where is my order?',
      newText: 'Your message was read.',
      references: [SETUP.answer],
      attachments: [{ contentType: 'message/disposition-notification' }],
      isAutomatic: true,
    },
    outcome: 'threaded',
    envelopeFrom: '',
  },
  {
    name: 'a person whose program says that it is one',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: Re: Where is my order?
Message-ID: <person@customer.example>
References: ${SETUP.answer}
Auto-Submitted: No
X-Auto-Response-Suppress: None
Precedence: normal

It is me.
`,
    expected: {
      from: ADA,
      to,
      subject: 'Re: Where is my order?',
      newText: 'It is me.',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
]
