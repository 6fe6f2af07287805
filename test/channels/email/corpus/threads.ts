import { type CorpusMail, eml, SETUP } from './mail.ts'

const to = ['help@acme.test']

/** Mails of lists, other ticket systems, strangers and ourselves: where they belong is the question. */
export const threads: readonly CorpusMail[] = [
  {
    name: 'a mailing list, with its own footer',
    raw: eml`
From: Charles Babbage via engines <engines@lists.example>
Reply-To: Charles Babbage <charles@engine.example>
To: engines@lists.example
Subject: [engines] Wheels
Message-ID: <list@engine.example>
List-Id: Engines <engines.lists.example>
List-Unsubscribe: <mailto:engines-leave@lists.example>
Precedence: list
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="l"

--l
Content-Type: text/plain; charset=utf-8

Which wheel fits?

--l
Content-Type: text/plain; charset=utf-8
Content-Disposition: inline

_______________________________________________
engines mailing list
--l--
`,
    expected: {
      from: 'Charles Babbage via engines <engines@lists.example>',
      replyTo: 'Charles Babbage <charles@engine.example>',
      to: ['engines@lists.example'],
      subject: '[engines] Wheels',
      newText: 'Which wheel fits?',
      text: 'engines mailing list',
      isAutomatic: true,
    },
    outcome: 'created',
  },
  {
    name: 'a mailing list that puts its footer as text below HTML',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: [engines] Wheels
Message-ID: <list-html@engine.example>
Precedence: list
Content-Type: multipart/mixed; boundary="l"

--l
Content-Type: text/html; charset=utf-8

<p>Which wheel <b>fits</b>?</p>
--l
Content-Type: text/plain; charset=utf-8

_______________________________________________
engines mailing list, for <everybody>
--l--
`,
    expected: {
      from: 'Charles Babbage <charles@engine.example>',
      to,
      subject: '[engines] Wheels',
      newText: 'Which wheel fits?',
      text: null,
      html: 'mailing list, for &lt;everybody&gt;',
      isAutomatic: true,
    },
    outcome: 'created',
  },
  {
    name: 'another ticket system, whose In-Reply-To is new each time and whose References keep ours',
    raw: eml`
From: Customer Support <ada@customer.example>
To: help@acme.test
Subject: [Request 4711] Re: Where is my order?
Message-ID: <4711-2@zen.example>
In-Reply-To: <4711-changing@zen.example>
References: <4711@zen.example> ${SETUP.answer}
Auto-Submitted: no

We have it.
`,
    expected: {
      from: 'Customer Support <ada@customer.example>',
      to,
      subject: '[Request 4711] Re: Where is my order?',
      newText: 'We have it.',
      references: ['<4711@zen.example>', SETUP.answer, '<4711-changing@zen.example>'],
    },
    outcome: 'threaded',
  },
  {
    name: 'another ticket system that names no mail of ours',
    raw: eml`
From: Customer Support <ada@customer.example>
To: help@acme.test
Subject: [Request 4712]
Message-ID: <4712-2@zen.example>
In-Reply-To: <4712-changing@zen.example>

Something else.
`,
    expected: {
      from: 'Customer Support <ada@customer.example>',
      to,
      subject: '[Request 4712]',
      newText: 'Something else.',
      references: ['<4712-changing@zen.example>'],
    },
    outcome: 'created',
  },
  {
    name: 'the colleague who was in Cc',
    raw: eml`
From: bob@customer.example
To: help@acme.test
Subject: Re: Where is my order?
Message-ID: <cc@customer.example>
References: ${SETUP.question}

I took it in.
`,
    expected: {
      from: 'bob@customer.example',
      to,
      subject: 'Re: Where is my order?',
      newText: 'I took it in.',
      references: [SETUP.question],
    },
    outcome: 'threaded',
  },
  {
    name: 'a stranger who knows a Message-ID',
    raw: eml`
From: mallory@elsewhere.example
To: help@acme.test
Subject: Re: Where is my order?
Message-ID: <stranger@elsewhere.example>
In-Reply-To: ${SETUP.answer}
References: ${SETUP.question} ${SETUP.answer}

Send it to me.
`,
    expected: {
      from: 'mallory@elsewhere.example',
      to,
      subject: 'Re: Where is my order?',
      newText: 'Send it to me.',
      references: [SETUP.question, SETUP.answer],
    },
    outcome: 'created',
  },
  {
    name: 'an answer to an id that a provider put in the place of ours',
    raw: eml`
From: ada@customer.example
To: help@acme.test
Subject: Re: Where is my order?
Message-ID: <replaced@customer.example>
In-Reply-To: <0102018f-0000@eu-west-1.amazonses.com>
References: <0102018f-0000@eu-west-1.amazonses.com>

Thanks.
`,
    expected: {
      from: 'ada@customer.example',
      to,
      subject: 'Re: Where is my order?',
      newText: 'Thanks.',
      references: ['<0102018f-0000@eu-west-1.amazonses.com>'],
    },
    outcome: 'created',
  },
  {
    name: 'our own mail, coming back',
    raw: eml`
From: Acme Help <help@acme.test>
To: help@acme.test
Subject: Re: Where is my order?
Message-ID: ${SETUP.answer}
X-Frontdesk: ${SETUP.installation}

It was sent yesterday.
`,
    expected: {
      from: 'Acme Help <help@acme.test>',
      to,
      subject: 'Re: Where is my order?',
      newText: 'It was sent yesterday.',
      mailId: SETUP.answer,
      isFromFrontdesk: SETUP.installation,
    },
    outcome: 'ignored',
  },
  {
    name: 'an inbox that mails itself',
    raw: eml`
From: help@acme.test
To: help@acme.test
Subject: A test
Message-ID: <itself@acme.test>

Does it work?
`,
    expected: { from: 'help@acme.test', to, subject: 'A test', newText: 'Does it work?' },
    outcome: 'ignored',
  },
  {
    name: 'a newsletter',
    raw: eml`
From: News <news@shop.example>
To: help@acme.test
Subject: Only today
Message-ID: <news@shop.example>
Precedence: bulk
Content-Type: multipart/alternative; boundary=n

--n
Content-Type: text/plain

Buy.
--n
Content-Type: text/x-amp-html

<html amp4email><body>Buy now</body></html>
--n
Content-Type: text/html

<style>p{}</style><p>Buy.</p>
--n--
`,
    expected: {
      from: 'News <news@shop.example>',
      to,
      subject: 'Only today',
      newText: 'Buy.',
      isAutomatic: true,
    },
    outcome: 'created',
  },
]
