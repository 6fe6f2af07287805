import { base64, type CorpusMail, eml, ICS, PNG, SETUP } from './mail.ts'

const ADA = 'Ada Byron <ada@customer.example>'

/** What Outlook packs a rich mail into for others of its kind; nobody else opens it. */
const WINMAIL = Buffer.concat([
  Buffer.from('789f3e2201000106900800040000000000', 'hex'),
  Buffer.from('TNEF of the tests'),
])

/** Mails of Outlook and Exchange. */
export const outlook: readonly CorpusMail[] = [
  {
    name: 'Outlook on Windows: an answer with a picture in its signature',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: Acme Help <help@acme.test>
CC: Bob Byron <bob@customer.example>
Subject: RE: Where is my order?
Thread-Topic: Where is my order?
Thread-Index: AQHbOz1x
Date: Sat, 21 Nov 2026 09:15:00 +0000
Message-ID:
 <DB9P192MB0001AAAA@DB9P192MB0001.EURP192.PROD.OUTLOOK.COM>
References: ${SETUP.question}
 ${SETUP.answer}
In-Reply-To: ${SETUP.answer}
Accept-Language: en-GB
X-MS-Has-Attach: yes
Content-Type: multipart/related;
	boundary="_004_DB9P192MB0001_";
	type="multipart/alternative"
MIME-Version: 1.0

--_004_DB9P192MB0001_
Content-Type: multipart/alternative;
	boundary="_000_DB9P192MB0001_"

--_000_DB9P192MB0001_
Content-Type: text/plain; charset="Windows-1252"
Content-Transfer-Encoding: quoted-printable

It=92s here =96 thanks.

[cid:image001.png@01DB3B3D.00000000]

From: Acme Help <help@acme.test>
Sent: 20 November 2026 16:02
To: Ada Byron <ada@customer.example>
Subject: Re: Where is my order?

It was sent yesterday.

--_000_DB9P192MB0001_
Content-Type: text/html; charset="Windows-1252"
Content-Transfer-Encoding: quoted-printable

<html xmlns:o=3D"urn:schemas-microsoft-com:office:office"><head><style><!--=
 p.MsoNormal {margin:0cm;} --></style></head><body lang=3D"EN-GB"><div class=
=3D"WordSection1"><p class=3D"MsoNormal">It=92s here =96 thanks.<o:p></o:p></=
p><p class=3D"MsoNormal"><img width=3D"1" height=3D"1" src=3D"cid:image001.pn=
g@01DB3B3D.00000000"></p><div style=3D"border:none;border-top:solid #E1E1E1 1=
.0pt;padding:3.0pt 0cm 0cm 0cm"><p class=3D"MsoNormal"><b>From:</b> Acme Help=
 &lt;help@acme.test&gt;<br><b>Sent:</b> 20 November 2026 16:02</p></div><p cl=
ass=3D"MsoNormal">It was sent yesterday.</p></div></body></html>

--_000_DB9P192MB0001_--

--_004_DB9P192MB0001_
Content-Type: image/png; name="image001.png"
Content-Description: image001.png
Content-Disposition: inline; filename="image001.png"; size=70;
	creation-date="Sat, 21 Nov 2026 09:14:00 GMT"
Content-ID: <image001.png@01DB3B3D.00000000>
Content-Transfer-Encoding: base64

${PNG.toString('base64')}

--_004_DB9P192MB0001_--
`,
    expected: {
      from: ADA,
      to: ['Acme Help <help@acme.test>'],
      cc: ['Bob Byron <bob@customer.example>'],
      subject: 'RE: Where is my order?',
      newText: 'It’s here – thanks.',
      mailId: '<DB9P192MB0001AAAA@DB9P192MB0001.EURP192.PROD.OUTLOOK.COM>',
      references: [SETUP.question, SETUP.answer],
      attachments: [
        {
          fileName: 'image001.png',
          contentType: 'image/png',
          contentId: 'image001.png@01DB3B3D.00000000',
          isInline: true,
          content: PNG,
        },
      ],
    },
    outcome: 'threaded',
  },
  {
    name: 'Outlook on the web: an answer with its signature',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: Acme Help <help@acme.test>
Subject: Re: Where is my order?
Message-ID: <VI1PR01MB0002@VI1PR01MB0002.eurprd01.prod.exchangelabs.com>
References: ${SETUP.answer}
In-Reply-To: ${SETUP.answer}
Content-Type: text/html; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable
MIME-Version: 1.0

<html><head><style type=3D"text/css" style=3D"display:none;"> P {margin-top:0=
;} </style></head><body dir=3D"ltr"><div class=3D"elementToProof">Caf=E9 at n=
oon?</div><div id=3D"Signature"><div>Ada Byron, Countess</div></div><div id=
=3D"appendonsend"></div><hr style=3D"display:inline-block;width:98%"><div id=
=3D"divRplyFwdMsg" dir=3D"ltr"><b>From:</b> Acme Help</div><div>It was sent y=
esterday.</div></body></html>
`,
    expected: {
      from: ADA,
      to: ['Acme Help <help@acme.test>'],
      subject: 'Re: Where is my order?',
      newText: 'Café at noon?',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Outlook as text, with the line that it puts above an earlier mail',
    raw: eml`
From: "Babbage, Charles" <charles@engine.example>
To: <help@acme.test>
Subject: RE: Engines
Message-ID: <000001db3b3d$outlook@engine.example>
MIME-Version: 1.0
Content-Type: text/plain; charset="us-ascii"
X-Mailer: Microsoft Outlook 16.0

When can it be mended?

-----Original Message-----
From: Charles Babbage
Sent: Friday
To: help@acme.test

It stands still.
`,
    expected: {
      from: 'Babbage, Charles <charles@engine.example>',
      to: ['help@acme.test'],
      subject: 'RE: Engines',
      newText: 'When can it be mended?',
    },
    outcome: 'created',
  },
  {
    name: 'Outlook in German, as text',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: AW: Where is my order?
Message-ID: <AM0PR0003@AM0PR0003.prod.outlook.com>
In-Reply-To: ${SETUP.answer}
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: 8bit

Das Paket ist nicht für mich.

Von: Acme Help <help@acme.test>
Gesendet: Freitag, 20. November 2026 16:02
An: Ada Byron <ada@customer.example>
Betreff: Re: Where is my order?

It was sent yesterday.
`,
    expected: {
      from: ADA,
      to: ['help@acme.test'],
      subject: 'AW: Where is my order?',
      newText: 'Das Paket ist nicht für mich.',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Outlook on a phone',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: Re: Where is my order?
Message-ID: <AM0PR0004@AM0PR0004.prod.outlook.com>
In-Reply-To: ${SETUP.answer}
Content-Type: text/html; charset="utf-8"

<html><body><div dir="auto">Yes please</div><div dir="auto" id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/x">Outlook for Android</a></div><hr><div id="divRplyFwdMsg"><b>From:</b> Acme Help</div><div>Again?</div></body></html>
`,
    expected: {
      from: ADA,
      to: ['help@acme.test'],
      subject: 'Re: Where is my order?',
      newText: 'Yes please',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Exchange: a rich mail packed into winmail.dat',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Plans
Message-ID: <tnef@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="_000_tnef_"

--_000_tnef_
Content-Type: text/plain; charset="us-ascii"

The plans are enclosed.

--_000_tnef_
Content-Type: application/ms-tnef; name="winmail.dat"
Content-Transfer-Encoding: base64

${base64(WINMAIL)}

--_000_tnef_--
`,
    expected: {
      from: 'Charles Babbage <charles@engine.example>',
      to: ['help@acme.test'],
      subject: 'Plans',
      newText: 'The plans are enclosed.',
      attachments: [
        {
          fileName: 'winmail.dat',
          contentType: 'application/ms-tnef',
          contentId: null,
          isInline: false,
          content: WINMAIL,
        },
      ],
    },
    outcome: 'created',
  },
  {
    name: 'Exchange: an invitation, as a form of the words and as a file',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: About the order
Message-ID: <invite@engine.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="m"

--m
Content-Type: multipart/alternative; boundary="a"

--a
Content-Type: text/plain; charset="utf-8"

Can we talk?

--a
Content-Type: text/calendar; charset="utf-8"; method=REQUEST
Content-Transfer-Encoding: base64

${base64(ICS)}
--a--
--m
Content-Type: application/ics; name="invite.ics"
Content-Disposition: attachment; filename="invite.ics"
Content-Transfer-Encoding: 7bit

${ICS}
--m--
`,
    expected: {
      from: 'Charles Babbage <charles@engine.example>',
      to: ['help@acme.test'],
      subject: 'About the order',
      newText: 'Can we talk?',
      attachments: [
        { fileName: 'invite.ics', contentType: 'text/calendar', content: ICS },
        { fileName: 'invite.ics', contentType: 'application/ics', content: ICS },
      ],
    },
    outcome: 'created',
  },
]
