import { type CorpusMail, eml, RETURNED, SETUP } from './mail.ts'

/** What Postfix, and servers that report as the standard has it, say of our answer. */
export const reports: readonly CorpusMail[] = [
  {
    name: 'Postfix: not delivered, with the whole mail',
    raw: eml`
Return-Path: <>
From: MAILER-DAEMON@mx.acme.test (Mail Delivery System)
To: help@acme.test
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4F1.1/mx.acme.test"
Message-Id: <20261121091500.4F2@mx.acme.test>

This is a MIME-encapsulated message.

--4F1.1/mx.acme.test
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.acme.test.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients.

--4F1.1/mx.acme.test
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.acme.test
X-Postfix-Queue-ID: 4F1
Arrival-Date: Sat, 21 Nov 2026 10:14:58 +0100 (CET)

Final-Recipient: rfc822; ada@customer.example
Original-Recipient: rfc822;ada@customer.example
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.customer.example
Diagnostic-Code: smtp; 550 5.1.1 <ada@customer.example>: Recipient address
    rejected: User unknown

--4F1.1/mx.acme.test
Content-Description: Undelivered Message
Content-Type: message/rfc822

${RETURNED}
It was sent yesterday.

--4F1.1/mx.acme.test--
`,
    expected: {
      from: 'Mail Delivery System <MAILER-DAEMON@mx.acme.test>',
      to: ['help@acme.test'],
      subject: 'Undelivered Mail Returned to Sender',
      newText:
        "This is the mail system at host mx.acme.test.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients.",
      attachments: [{ contentType: 'message/delivery-status' }, { contentType: 'message/rfc822' }],
      isAutomatic: true,
      bounce: {
        mailId: SETUP.answer,
        recipient: 'ada@customer.example',
        status: '5.1.1',
        diagnostic: '550 5.1.1 <ada@customer.example>: Recipient address rejected: User unknown',
        isFinal: true,
      },
    },
    outcome: 'bounce',
    envelopeFrom: '',
  },
  {
    name: 'Postfix: not delivered, with the headers alone',
    raw: eml`
From: MAILER-DAEMON@mx.acme.test (Mail Delivery System)
To: help@acme.test
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
Message-Id: <20261121091501.4F3@mx.acme.test>

--b
Content-Type: text/plain; charset=us-ascii

The mail system

<ada@customer.example>: mailbox full

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.acme.test

Final-Recipient: rfc822; ada@customer.example
Action: failed
Status: 4.2.2
Diagnostic-Code: smtp; 452 4.2.2 mailbox full

--b
Content-Type: text/rfc822-headers

${RETURNED}
--b--
`,
    expected: {
      from: 'Mail Delivery System <MAILER-DAEMON@mx.acme.test>',
      to: ['help@acme.test'],
      subject: 'Undelivered Mail Returned to Sender',
      newText: 'The mail system\n\n<ada@customer.example>: mailbox full',
      attachments: [{ contentType: 'message/delivery-status' }, { contentType: 'text/rfc822-headers' }],
      isAutomatic: true,
      bounce: {
        mailId: SETUP.answer,
        recipient: 'ada@customer.example',
        status: '4.2.2',
        diagnostic: '452 4.2.2 mailbox full',
        isFinal: true,
      },
    },
    outcome: 'bounce',
    envelopeFrom: '',
  },
  {
    name: 'Postfix: late, and still trying',
    raw: eml`
From: MAILER-DAEMON@mx.acme.test (Mail Delivery System)
To: help@acme.test
Subject: Delayed Mail (still being retried)
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
Message-Id: <20261121091502.4F4@mx.acme.test>

--b
Content-Type: text/plain

It is not delivered yet.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.acme.test

Final-Recipient: rfc822; ada@customer.example
Action: delayed
Status: 4.4.1
Diagnostic-Code: X-Postfix; connect to mx.customer.example[192.0.2.1]:25: Connection timed out

--b
Content-Type: text/rfc822-headers

${RETURNED}
--b--
`,
    expected: {
      from: 'Mail Delivery System <MAILER-DAEMON@mx.acme.test>',
      to: ['help@acme.test'],
      subject: 'Delayed Mail (still being retried)',
      newText: 'It is not delivered yet.',
      attachments: [{ contentType: 'message/delivery-status' }, { contentType: 'text/rfc822-headers' }],
      isAutomatic: true,
      bounce: {
        mailId: SETUP.answer,
        recipient: 'ada@customer.example',
        status: '4.4.1',
        diagnostic: 'connect to mx.customer.example[192.0.2.1]:25: Connection timed out',
        isFinal: false,
      },
    },
    outcome: 'bounce',
    envelopeFrom: '',
  },
  {
    name: 'a report that names no mail of ours, as of a notification',
    raw: eml`
From: MAILER-DAEMON@mx.acme.test (Mail Delivery System)
To: help@acme.test
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
Message-Id: <20261121091503.4F5@mx.acme.test>

--b

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.acme.test

Final-Recipient: rfc822; someone@else.example
Action: failed
Status: 5.0.0

--b
Content-Type: message/rfc822

From: help@acme.test
Message-ID: <notification@acme.test>

You have an answer.
--b--
`,
    expected: {
      from: 'Mail Delivery System <MAILER-DAEMON@mx.acme.test>',
      to: ['help@acme.test'],
      subject: 'Undelivered Mail Returned to Sender',
      newText: 'Sorry.',
      attachments: [{ contentType: 'message/delivery-status' }, { contentType: 'message/rfc822' }],
      isAutomatic: true,
      bounce: {
        mailId: '<notification@acme.test>',
        recipient: 'someone@else.example',
        status: '5.0.0',
        diagnostic: 'Sorry.',
        isFinal: true,
      },
    },
    outcome: 'created',
    envelopeFrom: '',
  },
  {
    name: 'a report of success is no bounce',
    raw: eml`
From: MAILER-DAEMON@mx.acme.test
To: help@acme.test
Subject: Successful Mail Delivery Report
MIME-Version: 1.0
References: ${SETUP.answer}
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
Message-Id: <20261121091504.4F6@mx.acme.test>

--b

Delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.acme.test

Final-Recipient: rfc822; ada@customer.example
Action: delivered
Status: 2.0.0

--b--
`,
    expected: {
      from: 'MAILER-DAEMON@mx.acme.test',
      to: ['help@acme.test'],
      subject: 'Successful Mail Delivery Report',
      newText: 'Delivered.',
      references: [SETUP.answer],
      attachments: [{ contentType: 'message/delivery-status' }],
      isAutomatic: true,
    },
    outcome: 'created',
    envelopeFrom: '',
  },
]
