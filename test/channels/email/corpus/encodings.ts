import { base64, type CorpusMail, eml, hex, ICS, PDF } from './mail.ts'

const to = ['help@acme.test']

/** uuencode of "Hello, uu!\r\n". */
const UU = "begin 644 hello.txt\n,2&5L;&\\L('5U(0T*\n`\nend\n"

/** Mails in every encoding that others tripped over. */
export const encodings: readonly CorpusMail[] = [
  {
    name: 'ISO-2022-JP in subject, name, words and file name',
    raw: eml`
From: =?ISO-2022-JP?B?GyRCOzNFRBsoQg==?= <yamada@engine.example>
To: help@acme.test
Subject: =?ISO-2022-JP?B?GyRCQ21KOBsoQg==?= 7
Message-ID: <jp@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain; charset=ISO-2022-JP
Content-Transfer-Encoding: 7bit

${hex('1b244224332473244b2441244f1b2842')}
--b
Content-Type: application/pdf; name="=?ISO-2022-JP?B?GyRCQ21KOBsoQg==?=.pdf"
Content-Disposition: attachment; filename="=?ISO-2022-JP?B?GyRCQ21KOBsoQg==?=.pdf"
Content-Transfer-Encoding: base64

${PDF.toString('base64')}
--b--
`,
    expected: {
      from: '山田 <yamada@engine.example>',
      to,
      subject: '注文 7',
      newText: 'こんにちは',
      attachments: [{ fileName: '注文.pdf', contentType: 'application/pdf', content: PDF }],
    },
    outcome: 'created',
  },
  {
    name: 'ks_c_5601-1987',
    raw: eml`
From: =?ks_c_5601-1987?B?sei8+Lzo?= <kim@engine.example>
To: help@acme.test
Subject: =?ks_c_5601-1987?B?wda5rg==?=
Message-ID: <kr@engine.example>
Content-Type: text/plain; charset="ks_c_5601-1987"
Content-Transfer-Encoding: base64

${base64(hex('bec8b3e7c7cfbcbcbfe4'))}
`,
    expected: { from: '김순쇠 <kim@engine.example>', to, subject: '주문', newText: '안녕하세요' },
    outcome: 'created',
  },
  {
    name: 'GB 2312 in headers that name no encoding is shown as it can be, and the mail is whole',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: Order
Message-ID: <gb-raw@engine.example>
Content-Type: text/plain; charset=gb2312

${hex('c4e3bac3')}
`,
    expected: { from: 'charles@engine.example', to, subject: 'Order', newText: '你好' },
    outcome: 'created',
  },
  {
    name: 'UTF-8 in headers as it is',
    raw: eml`
From: Zoë Müller <zoe@engine.example>
To: Hilfe für alle <help@acme.test>
Subject: Größe „M“ 👋
Message-ID: <raw-utf8@engine.example>
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

Größe M bitte
`,
    expected: {
      from: 'Zoë Müller <zoe@engine.example>',
      to: ['Hilfe für alle <help@acme.test>'],
      subject: 'Größe „M“ 👋',
      newText: 'Größe M bitte',
    },
    outcome: 'created',
  },
  {
    name: 'Windows-1252 that says it is ASCII',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: Price
Message-ID: <cp1252@engine.example>
Content-Type: text/plain; charset=us-ascii

It costs 20 ${hex('80')} ${hex('96')} too much
`,
    expected: { from: 'charles@engine.example', to, subject: 'Price', newText: 'It costs 20 € – too much' },
    outcome: 'created',
  },
  {
    name: 'HTML that tells its encoding itself',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: Russian
Message-ID: <koi8@engine.example>
Content-Type: text/html

<html><head><meta http-equiv="Content-Type" content="text/html; charset=koi8-r"></head><body>${hex('f0d2c9d7c5d4')}</body></html>
`,
    expected: { from: 'charles@engine.example', to, subject: 'Russian', newText: 'Привет', html: 'Привет' },
    outcome: 'created',
  },
  {
    name: 'UTF-7',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: Old
Message-ID: <utf7@engine.example>
Content-Type: text/plain; charset=utf-7

Gr+APwA3w-e
`,
    expected: { from: 'charles@engine.example', to, subject: 'Old', newText: 'Grüße' },
    outcome: 'created',
  },
  {
    name: 'an encoding that nobody knows',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: =?x-no-such?Q?a=20b?=
Message-ID: <no-such@engine.example>
Content-Type: text/plain; charset=x-no-such
Content-Transfer-Encoding: x-no-such-either

Grüße
`,
    expected: { from: 'charles@engine.example', to, subject: 'a b', newText: 'Grüße' },
    outcome: 'created',
  },
  {
    name: 'marks in encoded names that separate addresses elsewhere',
    raw: eml`
From: =?utf-8?Q?B=C3=BCro:_<Orders>,_"Acme"?= <charles@engine.example>
To: =?utf-8?q?Acme,_Help?= <help@acme.test>, "=?utf-8?q?a;b?=" <ada@customer.example>
Subject: =?utf-8?Q?Order:_one,_two?=
Message-ID: <marks@engine.example>

Hello
`,
    expected: {
      from: 'Büro: <Orders>, "Acme" <charles@engine.example>',
      to: ['Acme, Help <help@acme.test>', 'a;b <ada@customer.example>'],
      subject: 'Order: one, two',
      newText: 'Hello',
    },
    outcome: 'created',
  },
  {
    name: 'NUL bytes in name, subject and words',
    raw: eml`
From: Char${hex('00')}les <charles@engine.example>
To: help@acme.test
Subject: Nothing${hex('00')}ness
Message-ID: <nul@engine.example>
Content-Type: text/plain

zero${hex('00')}one
`,
    expected: { from: 'Char les <charles@engine.example>', to, subject: 'Nothing ness', newText: 'zeroone' },
    outcome: 'created',
  },
  {
    name: 'a letter of two bytes in two encoded words',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: =?UTF-8?B?Z3LDvMOf?= =?UTF-8?B?ZSDw?=
 =?UTF-8?B?n5iA?= =?utf-8?q?_und_?= =?iso-8859-1?q?M=FCll?=
Message-ID: <split@engine.example>

Hi
`,
    expected: { from: 'charles@engine.example', to, subject: 'grüße 😀 und Müll', newText: 'Hi' },
    outcome: 'created',
  },
  {
    name: 'a file name in continued pieces (RFC 2231)',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: Pieces
Message-ID: <rfc2231@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b

See there.
--b
Content-Type: application/pdf
Content-Disposition: attachment;
 filename*0*=utf-8''Rechnung%20f%C3%BCr;
 filename*1*=%20M%C3%A4rz;
 filename*2=" 2026.pdf"
Content-Transfer-Encoding: base64

${PDF.toString('base64')}
--b--
`,
    expected: {
      from: 'charles@engine.example',
      to,
      subject: 'Pieces',
      newText: 'See there.',
      attachments: [{ fileName: 'Rechnung für März 2026.pdf', contentType: 'application/pdf', content: PDF }],
    },
    outcome: 'created',
  },
  {
    name: 'x-uuencode',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: Unix
Message-ID: <uu@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

As ever.
--b
Content-Type: application/octet-stream; name="hello.txt"
Content-Transfer-Encoding: x-uuencode
Content-Disposition: attachment; filename="hello.txt"

${UU}
--b--
`,
    expected: {
      from: 'charles@engine.example',
      to,
      subject: 'Unix',
      newText: 'As ever.',
      attachments: [
        { fileName: 'hello.txt', contentType: 'application/octet-stream', content: Buffer.from('Hello, uu!\r\n') },
      ],
    },
    outcome: 'created',
  },
  {
    name: 'quoted-printable of careless programs',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: Careless
Message-ID: <qp@engine.example>
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

100=25 =e2=82=ac, a=b, soft=  
ly broken, =ZZ and an end=`,
    expected: {
      from: 'charles@engine.example',
      to,
      subject: 'Careless',
      newText: '100% €, a=b, softly broken, =ZZ and an end',
    },
    outcome: 'created',
  },
  {
    name: 'a calendar as quoted-printable keeps its line breaks',
    raw: eml`
From: charles@engine.example
To: help@acme.test
Subject: Calendar
Message-ID: <qp-ics@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b

Here.
--b
Content-Type: text/calendar; charset=utf-8; name=order.ics
Content-Transfer-Encoding: quoted-printable

${ICS.toString().replaceAll('=', '=3D')}
--b--
`,
    expected: {
      from: 'charles@engine.example',
      to,
      subject: 'Calendar',
      newText: 'Here.',
      attachments: [{ fileName: 'order.ics', contentType: 'text/calendar', content: ICS }],
    },
    outcome: 'created',
  },
  {
    name: 'a mail whose lines end with LF alone',
    raw: () =>
      Buffer.from(
        'From: charles@engine.example\nTo: help@acme.test\nSubject: Unix\nMessage-ID: <lf@engine.example>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nOne\nTwo\n--b\nContent-Type: text/csv; name=a.csv\n\n1;2\n3;4\n\n--b--\n',
      ),
    expected: {
      from: 'charles@engine.example',
      to,
      subject: 'Unix',
      newText: 'One\nTwo',
      attachments: [{ fileName: 'a.csv', contentType: 'text/csv', content: Buffer.from('1;2\n3;4\n') }],
    },
    outcome: 'created',
  },
]
