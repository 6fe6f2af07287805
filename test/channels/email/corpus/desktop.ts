import { base64, type CorpusMail, eml, PDF, PNG, SETUP } from './mail.ts'

const ADA = 'Ada Byron <ada@customer.example>'

/** Mails of Apple Mail, Thunderbird and mutt. */
export const desktop: readonly CorpusMail[] = [
  {
    name: 'Apple Mail: an answer whose References it has overwritten',
    raw: eml`
From: Ada Byron <ada@customer.example>
Content-Type: multipart/alternative;
 boundary="Apple-Mail=_1"
Mime-Version: 1.0 (Mac OS X Mail 16.0)
Subject: Re: Where is my order?
Date: Sat, 21 Nov 2026 10:15:00 +0100
References: <FFFF@apple.example>
In-Reply-To: ${SETUP.answer}
To: Acme Help <help@acme.test>
Message-Id: <A1B2C3D4-0001@customer.example>

--Apple-Mail=_1
Content-Transfer-Encoding: quoted-printable
Content-Type: text/plain;
	charset=utf-8

Now it is here.

> On 20. Nov 2026, at 16:02, Acme Help <help@acme.test> wrote:
>=20
> It was sent yesterday.

--Apple-Mail=_1
Content-Transfer-Encoding: quoted-printable
Content-Type: text/html;
	charset=utf-8

<html><head><meta http-equiv=3D"content-type" content=3D"text/html; charset=
=3Dutf-8"></head><body style=3D"overflow-wrap: break-word;">Now it is here.<b=
r id=3D"lineBreakAtBeginningOfMessage"><div><br><blockquote type=3D"cite"><di=
v>On 20. Nov 2026, at 16:02, Acme Help &lt;help@acme.test&gt; wrote:</div><br=
 class=3D"Apple-interchange-newline"><div>It was sent yesterday.</div></block=
quote></div><br></body></html>=

--Apple-Mail=_1--
`,
    expected: {
      from: ADA,
      to: ['Acme Help <help@acme.test>'],
      subject: 'Re: Where is my order?',
      newText: 'Now it is here.',
      references: ['<FFFF@apple.example>', SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Apple Mail: words before and after a document without Content-Id, and a picture in place',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Two files
Message-Id: <A1B2C3D4-0002@engine.example>
Mime-Version: 1.0
Content-Type: multipart/alternative; boundary="Apple-Mail=_1"

--Apple-Mail=_1
Content-Type: text/plain; charset=us-ascii

Before.

After.

--Apple-Mail=_1
Content-Type: multipart/mixed; boundary="Apple-Mail=_2"

--Apple-Mail=_2
Content-Type: text/html; charset=us-ascii

<html><body>Before.<div></div></body></html>
--Apple-Mail=_2
Content-Disposition: inline; filename=drawing.pdf
Content-Type: application/pdf; x-unix-mode=0644; name="drawing.pdf"
Content-Transfer-Encoding: base64

${PDF.toString('base64')}
--Apple-Mail=_2
Content-Type: multipart/related; type="text/html"; boundary="Apple-Mail=_3"

--Apple-Mail=_3
Content-Type: text/html; charset=us-ascii

<html><body><div>After.</div><img src="cid:0A1B2C@engine.example"></body></html>
--Apple-Mail=_3
Content-Transfer-Encoding: base64
Content-Disposition: inline; filename=image0.png
Content-Type: image/png; name="image0.png"
Content-Id: <0A1B2C@engine.example>

${PNG.toString('base64')}
--Apple-Mail=_3--

--Apple-Mail=_2--

--Apple-Mail=_1--
`,
    expected: {
      from: 'Charles Babbage <charles@engine.example>',
      to: ['help@acme.test'],
      subject: 'Two files',
      newText: 'Before.\n\nAfter.',
      attachments: [
        { fileName: 'drawing.pdf', contentType: 'application/pdf', contentId: null, isInline: false, content: PDF },
        {
          fileName: 'image0.png',
          contentType: 'image/png',
          contentId: '0A1B2C@engine.example',
          isInline: true,
          content: PNG,
        },
      ],
    },
    outcome: 'created',
  },
  {
    name: 'Mail on an iPhone, as text',
    raw: eml`
Content-Type: text/plain; charset=us-ascii
Content-Transfer-Encoding: 7bit
From: Ada Byron <ada@customer.example>
Mime-Version: 1.0 (1.0)
Subject: Re: Where is my order?
Message-Id: <A1B2C3D4-0003@customer.example>
References: ${SETUP.answer}
In-Reply-To: ${SETUP.answer}
To: help@acme.test
X-Mailer: iPhone Mail (22A3370)

Got it!

Sent from my iPhone

> On Nov 20, 2026, at 16:02, Acme Help <help@acme.test> wrote:
> 
> It was sent yesterday.
`,
    expected: {
      from: ADA,
      to: ['help@acme.test'],
      subject: 'Re: Where is my order?',
      newText: 'Got it!',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Thunderbird: an answer below what it answers',
    raw: eml`
Message-ID: <0d1e2f3a-0001@customer.example>
Date: Sat, 21 Nov 2026 10:15:00 +0100
MIME-Version: 1.0
User-Agent: Mozilla Thunderbird
Subject: Re: Where is my order?
To: Acme Help <help@acme.test>
References: ${SETUP.question}
 ${SETUP.answer}
Content-Language: en-GB
From: Ada Byron <ada@customer.example>
In-Reply-To: ${SETUP.answer}
Content-Type: text/html; charset=UTF-8
Content-Transfer-Encoding: 8bit

<!DOCTYPE html>
<html>
  <head>
    <meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
  </head>
  <body>
    <div class="moz-cite-prefix">On 20/11/2026 16:02, Acme Help wrote:<br>
    </div>
    <blockquote type="cite" cite="mid:answer@acme.test">
      <p>It was sent yesterday.</p>
    </blockquote>
    <p>To which address?<br>
    </p>
    <div class="moz-signature">-- <br>
      Ada Byron</div>
  </body>
</html>
`,
    expected: {
      from: ADA,
      to: ['Acme Help <help@acme.test>'],
      subject: 'Re: Where is my order?',
      newText: 'To which address?',
      references: [SETUP.question, SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Thunderbird: flowed text with a signature',
    raw: eml`
Message-ID: <0d1e2f3a-0002@engine.example>
MIME-Version: 1.0
Subject: A long line
To: help@acme.test, =?UTF-8?Q?J=C3=B6rg_M=C3=BCller?= <joerg@engine.example>
Cc: "Byron, Ada" <ada@customer.example>
From: Charles Babbage <charles@engine.example>
Content-Type: text/plain; charset=UTF-8; format=flowed
Content-Transfer-Encoding: 8bit

One line that was broken in two so that it fits a screen, as 
it was done for a long time.

-- 
Charles Babbage
Engines
`,
    expected: {
      from: 'Charles Babbage <charles@engine.example>',
      to: ['help@acme.test', 'Jörg Müller <joerg@engine.example>'],
      cc: ['Byron, Ada <ada@customer.example>'],
      subject: 'A long line',
      newText: 'One line that was broken in two so that it fits a screen, as it was done for a long time.',
      text: 'fits a screen, as it was done',
    },
    outcome: 'created',
  },
  {
    name: 'Thunderbird in Polish: a flowed answer, quotes of two levels flowed too',
    raw: eml`
Message-ID: <0d1e2f3a-0003@customer.example>
Date: Sun, 22 Nov 2026 12:00:00 +0100
MIME-Version: 1.0
Subject: Re: Where is my order?
To: Acme Help <help@acme.test>
References: ${SETUP.answer}
From: Ada Byron <ada@customer.example>
Content-Language: pl
In-Reply-To: ${SETUP.answer}
Content-Type: text/plain; charset=UTF-8; format=flowed
Content-Transfer-Encoding: 8bit

W dniu 22.11.2026 o 11:52, Acme Help pisze:
> It was sent yesterday, and it should be there tomorrow 
> at noon.
>> Where is my order? It was 
>> paid for.
> Best regards

 From whom I have it I will not say, but it was there at 
noon.
 > no quote
-- 
Ada 
Byron
`,
    expected: {
      from: ADA,
      to: ['Acme Help <help@acme.test>'],
      subject: 'Re: Where is my order?',
      newText: 'From whom I have it I will not say, but it was there at noon.',
      text: [
        'W dniu 22.11.2026 o 11:52, Acme Help pisze:',
        '> It was sent yesterday, and it should be there tomorrow at noon.',
        '>> Where is my order? It was paid for.',
        '> Best regards',
        '',
        'From whom I have it I will not say, but it was there at noon.',
        '> no quote',
        '-- ',
        'Ada Byron',
      ].join('\n'),
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'mutt: an answer between the lines',
    raw: eml`
Date: Sat, 21 Nov 2026 10:15:00 +0100
From: Ada Byron <ada@customer.example>
To: Acme Help <help@acme.test>
Subject: Re: Where is my order?
Message-ID: <20261121091500.GA1@customer.example>
References: ${SETUP.answer}
MIME-Version: 1.0
Content-Type: text/plain; charset=us-ascii
Content-Disposition: inline
In-Reply-To: ${SETUP.answer}

On Fri, Nov 20, 2026 at 04:02:00PM +0100, Acme Help wrote:
> It was sent yesterday.

By whom?

> It weighs two kilos.

That is what I ordered.
`,
    expected: {
      from: ADA,
      to: ['Acme Help <help@acme.test>'],
      subject: 'Re: Where is my order?',
      newText: 'By whom?\nThat is what I ordered.',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'a mail that was forwarded without a word, as text',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Fwd: Broken
Message-ID: <forwarded-1@engine.example>
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

${base64('Begin forwarded message:\n\nFrom: Dora <dora@engine.example>\nSubject: Broken\nDate: 20 November 2026\nTo: charles@engine.example\n\nThe wheel is broken.\n')}
`,
    expected: {
      from: 'Charles Babbage <charles@engine.example>',
      to: ['help@acme.test'],
      subject: 'Fwd: Broken',
      newText:
        'Begin forwarded message:\n\nFrom: Dora <dora@engine.example>\nSubject: Broken\nDate: 20 November 2026\nTo: charles@engine.example\n\nThe wheel is broken.',
    },
    outcome: 'created',
  },
]
