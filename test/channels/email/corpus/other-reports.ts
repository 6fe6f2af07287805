import { type CorpusMail, eml, RETURNED, SETUP } from './mail.ts'

/** What Exchange, Gmail and Exim say of our answer, each in its own way. */
export const otherReports: readonly CorpusMail[] = [
  {
    name: 'Exchange: not delivered, with the mail',
    raw: eml`
From: Microsoft Outlook
	<MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@acme.test>
To: help@acme.test
Subject: Undeliverable: Re: Where is my order?
Message-ID: <ndr-1@AM0PR01MB1.eurprd01.prod.exchangelabs.com>
In-Reply-To: ${SETUP.answer}
References: ${SETUP.question} ${SETUP.answer}
MIME-Version: 1.0
Auto-Submitted: auto-replied
X-MS-Exchange-Message-Is-Ndr:
Content-Type: multipart/report; report-type=delivery-status;
	boundary="e"

--e
Content-Type: multipart/alternative; differences=Content-Type; boundary="a"

--a
Content-Type: text/plain; charset="us-ascii"

Your message to ada@customer.example couldn't be delivered.

--a
Content-Type: text/html; charset="us-ascii"

<html><body><p>Your message to <b>ada@customer.example</b> couldn't be delivered.</p></body></html>

--a--

--e
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR01MB1.eurprd01.prod.exchangelabs.com
Received-From-MTA: dns;AM0PR01MB2.eurprd01.prod.exchangelabs.com
Arrival-Date: Sat, 21 Nov 2026 09:14:59 +0000

Final-Recipient: rfc822;ada@customer.example
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp;550 5.7.1 Message rejected as spam by Content Filtering.

--e
Content-Type: message/rfc822

${RETURNED}
It was sent yesterday.
--e--
`,
    expected: {
      from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@acme.test>',
      to: ['help@acme.test'],
      subject: 'Undeliverable: Re: Where is my order?',
      newText: "Your message to ada@customer.example couldn't be delivered.",
      references: [SETUP.question, SETUP.answer],
      attachments: [{ contentType: 'message/delivery-status' }, { contentType: 'message/rfc822' }],
      isAutomatic: true,
      bounce: {
        mailId: SETUP.answer,
        recipient: 'ada@customer.example',
        status: '5.7.1',
        diagnostic: '550 5.7.1 Message rejected as spam by Content Filtering.',
        isFinal: true,
      },
    },
    outcome: 'bounce',
    envelopeFrom: '',
  },
  {
    name: 'Exchange: not delivered, without the mail',
    raw: eml`
From: postmaster@customer.example
To: help@acme.test
Subject: Undeliverable: Re: Where is my order?
Message-ID: <ndr-2@customer.example>
In-Reply-To: ${SETUP.answer}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="e"

--e
Content-Type: text/html; charset="utf-8"

<p>Delivery has failed to these recipients or groups:</p>
--e
Content-Type: message/delivery-status

Reporting-MTA: dns;mail.customer.example

Original-Recipient: rfc822;ada@customer.example
Final-Recipient: rfc822;ada.byron@internal.customer.example
Action: failed
Status: 5.2.2
X-Display-Name: Ada Byron

--e--
`,
    expected: {
      from: 'postmaster@customer.example',
      to: ['help@acme.test'],
      subject: 'Undeliverable: Re: Where is my order?',
      newText: 'Delivery has failed to these recipients or groups:',
      references: [SETUP.answer],
      attachments: [{ contentType: 'message/delivery-status' }],
      isAutomatic: true,
      bounce: {
        mailId: SETUP.answer,
        recipient: 'ada@customer.example',
        status: '5.2.2',
        diagnostic: 'Delivery has failed to these recipients or groups:',
        isFinal: true,
      },
    },
    outcome: 'bounce',
    envelopeFrom: '',
  },
  {
    name: 'Gmail: not delivered, with the mail',
    raw: eml`
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: help@acme.test
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
References: ${SETUP.answer}
In-Reply-To: ${SETUP.answer}
X-Failed-Recipients: ada@customer.example
Message-ID: <65aa.gmr@mx.google.com>
MIME-Version: 1.0
Content-Type: multipart/report; boundary="0000"; report-type=delivery-status

--0000
Content-Type: multipart/related; boundary="0001"

--0001
Content-Type: multipart/alternative; boundary="0002"

--0002
Content-Type: text/plain; charset="UTF-8"


** Address not found **

Your message wasn't delivered to ada@customer.example because the address couldn't be found.

The response from the remote server was:
550 5.1.1 No such user

--0002
Content-Type: text/html; charset="UTF-8"

<html><body><p>Address not found</p><img src="cid:icon.png"></body></html>
--0002--
--0001
Content-Type: image/png; name="icon.png"
Content-Disposition: attachment; filename="icon.png"
Content-ID: <icon.png>

PNG
--0001--

--0000
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Arrival-Date: Sat, 21 Nov 2026 01:14:58 -0800 (PST)
X-Original-Message-ID: ${SETUP.answer}

Final-Recipient: rfc822; ada@customer.example
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.customer.example. (192.0.2.1, the server for the domain customer.example.)
Diagnostic-Code: smtp; 550 5.1.1 No such user

--0000
Content-Type: message/rfc822

${RETURNED}
It was sent yesterday.
--0000--
`,
    expected: {
      from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      to: ['help@acme.test'],
      subject: 'Delivery Status Notification (Failure)',
      newText: 'Address not found',
      references: [SETUP.answer],
      attachments: [
        { contentType: 'image/png' },
        { contentType: 'message/delivery-status' },
        { contentType: 'message/rfc822' },
      ],
      isAutomatic: true,
      bounce: {
        mailId: SETUP.answer,
        recipient: 'ada@customer.example',
        status: '5.1.1',
        diagnostic: '550 5.1.1 No such user',
        isFinal: true,
      },
    },
    outcome: 'bounce',
    envelopeFrom: '',
  },
  {
    name: 'Gmail: not delivered, as text without the mail',
    raw: eml`
From: Mail Delivery Subsystem <mailer-daemon@google.com>
To: help@acme.test
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
In-Reply-To: ${SETUP.answer}
X-Failed-Recipients: ada@customer.example
Message-ID: <65ab.gmr@mx.google.com>
Content-Type: text/plain; charset=UTF-8

Delivery to the following recipient failed permanently:

     ada@customer.example

Technical details of permanent failure:
The response from the remote server was:
550 5.2.1 The email account that you tried to reach is disabled.
`,
    expected: {
      from: 'Mail Delivery Subsystem <mailer-daemon@google.com>',
      to: ['help@acme.test'],
      subject: 'Delivery Status Notification (Failure)',
      newText:
        'Delivery to the following recipient failed permanently:\n\n ada@customer.example\n\nTechnical details of permanent failure:\nThe response from the remote server was:\n550 5.2.1 The email account that you tried to reach is disabled.',
      references: [SETUP.answer],
      isAutomatic: true,
      bounce: {
        mailId: SETUP.answer,
        recipient: 'ada@customer.example',
        status: '5.2.1',
        diagnostic: '550 5.2.1 The email account that you tried to reach is disabled.',
        isFinal: true,
      },
    },
    outcome: 'bounce',
    envelopeFrom: '',
  },
  {
    name: 'Exim: not delivered, with the headers in its text',
    raw: eml`
From: Mail Delivery System <Mailer-Daemon@mx.acme.test>
To: help@acme.test
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender
X-Failed-Recipients: ada@customer.example
Message-Id: <E1tDxyz-0001@mx.acme.test>

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@customer.example
    SMTP error from remote mail server after RCPT TO:<ada@customer.example>:
    550 5.1.1 unknown user

------ This is a copy of the message, including all the headers. ------

${RETURNED}
`,
    expected: {
      from: 'Mail Delivery System <Mailer-Daemon@mx.acme.test>',
      to: ['help@acme.test'],
      subject: 'Mail delivery failed: returning message to sender',
      newText:
        'This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n ada@customer.example\n SMTP error from remote mail server after RCPT TO:<ada@customer.example>:\n 550 5.1.1 unknown user',
      isAutomatic: true,
      bounce: {
        mailId: SETUP.answer,
        recipient: 'ada@customer.example',
        status: '5.1.1',
        diagnostic: '550 5.1.1 unknown user',
        isFinal: true,
      },
    },
    outcome: 'bounce',
    envelopeFrom: '',
  },
]
