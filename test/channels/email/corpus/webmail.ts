import { type CorpusMail, eml, PDF, SETUP } from './mail.ts'

const ADA = 'Ada Byron <ada@customer.example>'

/** Mails as the programs in browsers write them. */
export const webmail: readonly CorpusMail[] = [
  {
    name: 'Gmail: an answer above what it answers',
    raw: eml`
MIME-Version: 1.0
Date: Sat, 21 Nov 2026 10:15:00 +0100
References: ${SETUP.question} ${SETUP.answer}
In-Reply-To: ${SETUP.answer}
Message-ID: <CAF1gmail@mail.gmail.com>
Subject: Re: Where is my order?
From: Ada Byron <ada@customer.example>
To: Acme Help <help@acme.test>
Content-Type: multipart/alternative; boundary="000000000000abcdef0612345678"

--000000000000abcdef0612345678
Content-Type: text/plain; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

It has arrived, thank you =E2=80=93 all is well.

On Fri, Nov 20, 2026 at 4:02=E2=80=AFPM Acme Help <help@acme.test> wrote:

> It was sent yesterday.
>

--000000000000abcdef0612345678
Content-Type: text/html; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

<div dir=3D"ltr">It has arrived, thank you =E2=80=93 all is well.</div><br><d=
iv class=3D"gmail_quote gmail_quote_container"><div dir=3D"ltr" class=3D"gmai=
l_attr">On Fri, Nov 20, 2026 at 4:02=E2=80=AFPM Acme Help &lt;<a href=3D"mail=
to:help@acme.test">help@acme.test</a>&gt; wrote:<br></div><blockquote class=
=3D"gmail_quote" style=3D"margin:0px 0px 0px 0.8ex">It was sent yesterday.</b=
lockquote></div>

--000000000000abcdef0612345678--
`,
    expected: {
      from: ADA,
      to: ['Acme Help <help@acme.test>'],
      subject: 'Re: Where is my order?',
      newText: 'It has arrived, thank you – all is well.',
      text: '> It was sent yesterday.',
      html: 'It was sent yesterday.</blockquote>',
      mailId: '<CAF1gmail@mail.gmail.com>',
      references: [SETUP.question, SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Gmail: a new mail with a document',
    raw: eml`
MIME-Version: 1.0
Date: Sat, 21 Nov 2026 10:15:00 +0100
Message-ID: <CAF2gmail@mail.gmail.com>
Subject: Invoice 17
From: Charles Babbage <charles@engine.example>
Reply-To: Charles@Engine.example
To: help@acme.test
Content-Type: multipart/mixed; boundary="m"

--m
Content-Type: multipart/alternative; boundary="a"

--a
Content-Type: text/plain; charset="UTF-8"

The sum looks wrong.

--a
Content-Type: text/html; charset="UTF-8"

<div dir="ltr">The sum looks <b>wrong</b>.</div>

--a--
--m
Content-Type: application/pdf; name="invoice.pdf"
Content-Disposition: attachment; filename="invoice.pdf"
Content-Transfer-Encoding: base64
Content-ID: <f_lx1>
X-Attachment-Id: f_lx1

${PDF.toString('base64')}
--m--
`,
    expected: {
      from: 'Charles Babbage <charles@engine.example>',
      to: ['help@acme.test'],
      subject: 'Invoice 17',
      newText: 'The sum looks wrong.',
      attachments: [
        { fileName: 'invoice.pdf', contentType: 'application/pdf', contentId: 'f_lx1', isInline: false, content: PDF },
      ],
    },
    outcome: 'created',
  },
  {
    name: 'Gmail: a forwarded mail with a word above it',
    raw: eml`
MIME-Version: 1.0
Message-ID: <CAF3gmail@mail.gmail.com>
Subject: Fwd: Your parcel
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Content-Type: multipart/alternative; boundary="a"

--a
Content-Type: text/plain; charset="UTF-8"

Is this from you?

---------- Forwarded message ---------
From: Parcel <parcel@carrier.example>
Date: Fri, Nov 20, 2026 at 4:02 PM
Subject: Your parcel
To: <charles@engine.example>

Pay the duty now.

--a
Content-Type: text/html; charset="UTF-8"

<div dir="ltr">Is this from you?<br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <strong>Parcel</strong></div>Pay the duty now.</div></div>

--a--
`,
    expected: {
      from: 'Charles Babbage <charles@engine.example>',
      to: ['help@acme.test'],
      subject: 'Fwd: Your parcel',
      newText: 'Is this from you?',
      html: 'Pay the duty now.',
    },
    outcome: 'created',
  },
  {
    name: 'Gmail in Greek',
    raw: eml`
MIME-Version: 1.0
References: ${SETUP.answer}
In-Reply-To: ${SETUP.answer}
Message-ID: <CAF4gmail@mail.gmail.com>
Subject: =?UTF-8?B?zpHPgDogzrcgz4DOsc+BzrHOs86zzrXOu86vzrE=?=
From: =?UTF-8?B?zobOvc69zrE=?= <ada@customer.example>
To: help@acme.test
Content-Type: text/plain; charset="UTF-8"
Content-Transfer-Encoding: 8bit

Ευχαριστώ πολύ.

Στις Παρ 20 Νοε 2026 στις 4:02 μ.μ., ο χρήστης Acme Help <help@acme.test>
έγραψε:

> Στάλθηκε χθες.
`,
    expected: {
      from: 'Άννα <ada@customer.example>',
      to: ['help@acme.test'],
      subject: 'Απ: η παραγγελία',
      newText: 'Ευχαριστώ πολύ.',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Mail.ru: an answer, whose quote nothing marks but its place',
    raw: eml`
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: Re: Where is my order?
Message-ID: <1795350000.1@mail.ru>
In-Reply-To: ${SETUP.answer}
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<HTML><BODY><div>It is still not there.</div><div>&nbsp;</div>
<blockquote style="border-left:1px solid #0857A6; margin:10px; padding:0 0 0 10px;">Суббота, 21 ноября 2026, 10:15
+03:00 от Acme Help &lt;help@acme.test&gt;:<br>&nbsp;<div id=""><div>It was sent yesterday.</div><p>Acme</p></div></blockquote>
</BODY></HTML>
`,
    expected: {
      from: 'Ada Byron <ada@customer.example>',
      to: ['help@acme.test'],
      subject: 'Re: Where is my order?',
      newText: 'It is still not there.',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Yahoo: an answer',
    raw: eml`
Date: Sat, 21 Nov 2026 09:15:00 +0000 (UTC)
From: Ada Byron <ada@customer.example>
To: "help@acme.test" <help@acme.test>
Message-ID: <1234567890.1234567.1700000000000@mail.yahoo.com>
In-Reply-To: ${SETUP.answer}
References: <1234567890.1.1700000000000.ref@mail.yahoo.com> ${SETUP.answer}
Subject: Re: Where is my order?
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="----=_Part_1"

------=_Part_1
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 7bit

 It is not here yet.

    On Friday, November 20, 2026 at 04:02:00 PM GMT+1, Acme Help <help@acme.test> wrote:  
 
 It was sent yesterday.
------=_Part_1
Content-Type: text/html; charset=UTF-8
Content-Transfer-Encoding: 7bit

<html><head></head><body><div class="ydp1yahoo-style-wrap"><div dir="ltr">It is not here yet.</div></div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted yahoo_quoted"><div>On Friday, November 20, 2026, Acme Help wrote:</div><div>It was sent yesterday.</div></div></body></html>
------=_Part_1--
`,
    expected: {
      from: ADA,
      to: ['help@acme.test'],
      subject: 'Re: Where is my order?',
      newText: 'It is not here yet.',
      references: ['<1234567890.1.1700000000000.ref@mail.yahoo.com>', SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Proton: an answer',
    raw: eml`
Date: Sat, 21 Nov 2026 09:15:00 +0000
To: Acme Help <help@acme.test>
From: Ada Byron <ada@customer.example>
Subject: Re: Where is my order?
Message-ID: <proton1@protonmail.com>
In-Reply-To: ${SETUP.answer}
References: ${SETUP.question} ${SETUP.answer}
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b1"

--b1
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

It came broken.

Sent with [Proton Mail](https://proton.me/) secure email.

On Friday, November 20th, 2026 at 16:02, Acme Help <help@acme.test> wrote:

> It was sent yesterday.
--b1
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: 7bit

<div>It came broken.</div><div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">Sent with Proton Mail secure email.</div></div><div class="protonmail_quote">On Friday, Acme Help wrote:<br><blockquote class="protonmail_quote" type="cite">It was sent yesterday.</blockquote></div>
--b1--
`,
    expected: {
      from: ADA,
      to: ['Acme Help <help@acme.test>'],
      subject: 'Re: Where is my order?',
      newText: 'It came broken.',
      references: [SETUP.question, SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'Proton: an answer as text, with the separator it had before',
    raw: eml`
To: help@acme.test
From: Ada Byron <ada@customer.example>
Subject: Re: Where is my order?
Message-ID: <proton2@protonmail.com>
References: ${SETUP.answer}
Content-Type: text/plain; charset=utf-8

It came late.

------- Original Message -------
On Friday, November 20th, 2026 at 16:02, Acme Help <help@acme.test> wrote:

> It was sent yesterday.
`,
    expected: {
      from: ADA,
      to: ['help@acme.test'],
      subject: 'Re: Where is my order?',
      newText: 'It came late.',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'GMX: an answer in German',
    raw: eml`
MIME-Version: 1.0
Message-ID: <trinity-1@3c-app-gmx-bs1>
From: Ada Byron <ada@customer.example>
To: help@acme.test
Subject: Aw: Where is my order?
Content-Type: text/html; charset=UTF-8
References: ${SETUP.answer}

<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>Danke, ist angekommen!</div>
<div>&nbsp;
<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">
<div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Freitag, 20. November 2026<br/><b>Von:</b>&nbsp;help@acme.test</div>
<div name="quoted-content">It was sent yesterday.</div></div></div></div></body></html>
`,
    expected: {
      from: ADA,
      to: ['help@acme.test'],
      subject: 'Aw: Where is my order?',
      newText: 'Danke, ist angekommen!',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
]
