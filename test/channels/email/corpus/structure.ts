import { type CorpusMail, crlf, eml, PDF, PNG } from './mail.ts'

const to = ['help@acme.test']
const CHARLES = 'Charles Babbage <charles@engine.example>'

/** A mail inside another, exact to the byte: trailing blanks, LF and all. */
const NESTED = Buffer.from(
  `${crlf('From: dora@engine.example\nTo: charles@engine.example\nSubject: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=\nMessage-ID: <nested@engine.example>\nContent-Type: multipart/mixed; boundary=inner\n\n--inner\n\nThe wheel   \n--inner\nContent-Type: text/csv; name=a.csv\n\n1;2\n--inner--\n')}LF alone\nhere`,
)

/** Mails whose shape is out of the ordinary. */
export const structure: readonly CorpusMail[] = [
  {
    name: 'no sender',
    raw: eml`
To: help@acme.test
Subject: Who am I?
Message-ID: <no-from@engine.example>

Guess.
`,
    expected: { unreadable: /has no sender/ },
    outcome: 'quarantined',
  },
  {
    name: 'a sender that is no address',
    raw: eml`
From: Charles Babbage
To: help@acme.test
Subject: Broken
Message-ID: <bad-from@engine.example>

Hi.
`,
    expected: { unreadable: /has a sender that is no email address \(From: Charles Babbage\)/ },
    outcome: 'quarantined',
  },
  {
    name: 'a sender of a local machine',
    raw: eml`
From: root <x@local>
To: help@acme.test
Subject: cron
Message-ID: <local-from@local>

Done.
`,
    expected: { unreadable: /has a sender that is no email address \(From: root <x@local>\)/ },
    outcome: 'quarantined',
  },
  {
    name: 'two senders, of whom a check may see the other one',
    raw: eml`
From: charles@engine.example
From: ada@customer.example
To: help@acme.test
Subject: Twice
Message-ID: <two-from@engine.example>

Hi.
`,
    expected: { unreadable: /names its sender twice/ },
    outcome: 'quarantined',
  },
  {
    name: 'an empty From',
    raw: eml`
From:
To: help@acme.test
Subject: Empty

Hi.
`,
    expected: { unreadable: /has an empty sender/ },
    outcome: 'quarantined',
  },
  {
    name: 'neither recipient nor subject nor words',
    raw: eml`
From: Charles Babbage <charles@engine.example>
Message-ID: <bare@engine.example>

`,
    expected: { from: CHARLES, subject: '', newText: '' },
    outcome: 'created',
  },
  {
    name: 'headers alone, without the line that ends them',
    raw: () => Buffer.from('From: charles@engine.example\r\nTo: help@acme.test\r\nSubject: Short'),
    expected: { from: 'charles@engine.example', to, subject: 'Short', newText: '' },
    outcome: 'created',
  },
  {
    name: 'nothing at all',
    raw: () => Buffer.alloc(0),
    expected: { unreadable: /is empty/ },
    outcome: 'quarantined',
  },
  {
    name: 'Markdown, and a patch behind it',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: A patch
Message-ID: <markdown@customer.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/markdown; charset=utf-8

Dear *all*, this is <it>:

--b
Content-Type: text/x-patch

+ a line
--b
Content-Type: text/csv

a,b
--b--
`,
    expected: {
      from: 'Ada Byron <ada@customer.example>',
      to: ['help@acme.test'],
      subject: 'A patch',
      newText: 'Dear *all*, this is <it>:\n\n+ a line',
      text: 'Dear *all*, this is <it>:\n\n+ a line',
      html: null,
      mailId: '<markdown@customer.example>',
      attachments: [{ contentType: 'text/csv' }],
    },
    outcome: 'created',
  },
  {
    name: 'words before the HTML begins',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Before
Message-ID: <before@engine.example>
Content-Type: text/html; charset=utf-8

I am first.<html><body><p>I am second.</p></body></html>
`,
    expected: { from: CHARLES, to, subject: 'Before', newText: 'I am first.\n\nI am second.' },
    outcome: 'created',
  },
  {
    name: 'a picture in place that has no name, and one that nothing shows',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Pictures
Message-ID: <pictures@engine.example>
MIME-Version: 1.0
Content-Type: multipart/related; boundary=r

--r
Content-Type: text/html; charset=utf-8

<p>Look:</p><img src="cid:one%40engine.example">
--r
Content-Type: image/png
Content-Disposition: inline
Content-ID: <one@engine.example>
Content-Transfer-Encoding: base64

${PNG.toString('base64')}
--r
Content-Type: image/png; name="two.png"
Content-Disposition: inline; filename="two.png"
Content-ID: <two@engine.example>
Content-Transfer-Encoding: base64

${PNG.toString('base64')}
--r--
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Pictures',
      newText: 'Look:',
      attachments: [
        {
          fileName: undefined,
          contentType: 'image/png',
          contentId: 'one@engine.example',
          isInline: true,
          content: PNG,
        },
        {
          fileName: 'two.png',
          contentType: 'image/png',
          contentId: 'two@engine.example',
          isInline: false,
          content: PNG,
        },
      ],
    },
    outcome: 'created',
  },
  {
    name: 'a document and nothing else',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Scan
Message-ID: <scan@engine.example>
MIME-Version: 1.0
Content-Type: application/pdf; name=scan.pdf
Content-Transfer-Encoding: base64

${PDF.toString('base64')}
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Scan',
      newText: '',
      attachments: [{ fileName: 'scan.pdf', contentType: 'application/pdf', content: PDF }],
    },
    outcome: 'created',
  },
  {
    name: 'a text file beside the words',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Log
Message-ID: <log@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

See the log.
--b
Content-Type: text/plain; name=error.log
Content-Disposition: attachment; filename=../../etc/error.log
Content-Transfer-Encoding: base64

${Buffer.from('line 1\r\nline 2\n').toString('base64')}
--b--
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Log',
      newText: 'See the log.',
      attachments: [
        {
          fileName: '../../etc/error.log',
          contentType: 'text/plain',
          content: Buffer.from('line 1\r\nline 2\n'),
        },
      ],
    },
    outcome: 'created',
  },
  {
    name: 'a forwarded mail as a part',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Fwd: Size
Message-ID: <outer@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: text/plain

What does Dora mean?
--outer
Content-Type: message/rfc822
Content-Disposition: inline

${NESTED}
--outer--
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Fwd: Size',
      newText: 'What does Dora mean?',
      mailId: '<outer@engine.example>',
      attachments: [{ fileName: 'message.eml', contentType: 'message/rfc822', isInline: false, content: NESTED }],
    },
    outcome: 'created',
  },
  {
    name: 'a forwarded mail in base64, with a name',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Fwd: Size
Message-ID: <outer64@engine.example>
MIME-Version: 1.0
Content-Type: multipart/digest; boundary=outer

--outer
Content-Type: message/rfc822; name="Size.eml"
Content-Transfer-Encoding: base64

${NESTED.toString('base64')}
--outer--
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Fwd: Size',
      newText: '',
      attachments: [{ fileName: 'Size.eml', contentType: 'message/rfc822', content: NESTED }],
    },
    outcome: 'created',
  },
  {
    name: 'no Message-ID',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: No id

Hi.
`,
    expected: { from: CHARLES, to, subject: 'No id', newText: 'Hi.', mailId: /^<[0-9a-f]{40}@computed\.invalid>$/ },
    outcome: 'created',
  },
  {
    name: 'a Message-ID that is none',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Bad id
Message-ID: <white space@engine.example>

Hi.
`,
    expected: { from: CHARLES, to, subject: 'Bad id', newText: 'Hi.', mailId: /^<[0-9a-f]{40}@computed\.invalid>$/ },
    outcome: 'created',
  },
  {
    name: 'parts without the line that parts them',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: No boundary
Message-ID: <no-boundary@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed

The words are here all the same.
`,
    expected: { from: CHARLES, to, subject: 'No boundary', newText: 'The words are here all the same.' },
    outcome: 'created',
  },
  {
    name: 'parts that never end',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Cut off
Message-ID: <cut-off@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

This is whole.
--b
Content-Type: application/pdf; name=half.pdf
Content-Transfer-Encoding: base64

JVBERi0xLjQK`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Cut off',
      newText: 'This is whole.',
      attachments: [{ fileName: 'half.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.4\n') }],
    },
    outcome: 'created',
  },
  {
    name: 'groups of recipients, some without an address',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: undisclosed-recipients:;
Cc: Engines: dora@engine.example, "E, F" <e.f@engine.example>;, nobody, <broken@>
Reply-To: The office <office@engine.example>
Subject: Groups
Message-ID: <groups@engine.example>

Hi all.
`,
    expected: {
      from: CHARLES,
      replyTo: 'The office <office@engine.example>',
      to: [],
      cc: ['dora@engine.example', 'E, F <e.f@engine.example>'],
      subject: 'Groups',
      newText: 'Hi all.',
    },
    outcome: 'created',
  },
  {
    name: 'one mail to two inboxes',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test, sales@acme.test
Subject: To both
Message-ID: <both@engine.example>

Hi.
`,
    expected: { from: CHARLES, to: ['help@acme.test', 'sales@acme.test'], subject: 'To both', newText: 'Hi.' },
    outcome: 'created',
  },
]
