/*
 * Mails as people forward them by hand, each as its program writes it: the same one of Ada's, passed on by whoever `from` is.
 */

interface Sample {
  readonly subject: string
  readonly headers?: Record<string, string>
  /** With its own headers, as parts of a multipart have them. */
  readonly body: string
  /** Whether what Ada wrote comes as HTML, too. */
  readonly isRich?: boolean
}

const plain = (...lines: string[]) =>
  `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${lines.join('\r\n')}\r\n`

const rich = (text: string[], html: string) =>
  [
    'Content-Type: multipart/alternative; boundary="alt"',
    '',
    '--alt',
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...text,
    '--alt',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--alt--',
    '',
  ].join('\r\n')

const SAID = ['Hello,', '', 'the blue lamp arrived broken.', '', 'Ada']

/** By the program that wrote it. */
export const forwarded: Readonly<Record<string, Sample>> = {
  Gmail: {
    subject: 'Fwd: A broken lamp',
    isRich: true,
    body: rich(
      [
        'Can somebody call her?',
        '',
        '---------- Forwarded message ---------',
        'From: Ada Lovelace <ada@customer.test>',
        'Date: Sun, Mar 1, 2026 at 9:00 AM',
        'Subject: A broken lamp',
        'To: Robin <robin@acme.test>',
        '',
        '',
        ...SAID,
      ],
      '<div dir="ltr">Can somebody call her?<br><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <strong class="gmail_sendername" dir="auto">Ada Lovelace</strong> <span dir="auto">&lt;<a href="mailto:ada@customer.test">ada@customer.test</a>&gt;</span><br>Date: Sun, Mar 1, 2026 at 9:00 AM<br>Subject: A broken lamp<br>To: Robin &lt;<a href="mailto:robin@acme.test">robin@acme.test</a>&gt;<br></div><br><br><div dir="ltr"><p>Hello,</p><p>the <b>blue</b> lamp arrived broken.</p><p>Ada</p></div></div></div>',
    ),
  },
  'Outlook on the web': {
    subject: 'Fw: A broken lamp',
    isRich: true,
    body: rich(
      [
        'Can somebody call her?',
        '',
        '________________________________',
        'From: Ada Lovelace <ada@customer.test>',
        'Sent: Sunday, March 1, 2026 9:00 AM',
        'To: Robin <robin@acme.test>',
        'Subject: A broken lamp',
        '',
        ...SAID,
      ],
      '<html><body><div class="elementToProof">Can somebody call her?</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri"><b>From:</b> Ada Lovelace &lt;ada@customer.test&gt;<br><b>Sent:</b> Sunday, March 1, 2026 9:00 AM<br><b>To:</b> Robin &lt;robin@acme.test&gt;<br><b>Subject:</b> A broken lamp</font><div>&nbsp;</div></div><div><p>Hello,</p><p>the <b>blue</b> lamp arrived broken.</p><p>Ada</p></div></body></html>',
    ),
  },
  'Outlook in German': {
    subject: 'WG: A broken lamp',
    body: plain(
      'Can somebody call her?',
      '',
      'Von: Ada Lovelace <ada@customer.test>',
      'Gesendet: Sonntag, 1. März 2026 09:00',
      'An: Robin <robin@acme.test>',
      'Betreff: A broken lamp',
      '',
      ...SAID,
    ),
  },
  'Apple Mail': {
    subject: 'Fwd: A broken lamp',
    body: plain(
      'Can somebody call her?',
      '',
      '> Begin forwarded message:',
      '> ',
      '> From: Ada Lovelace <ada@customer.test>',
      '> Subject: A broken lamp',
      '> Date: 1 March 2026 at 09:00:00 CET',
      '> To: Robin <robin@acme.test>',
      '> ',
      ...SAID.map((line) => `> ${line}`),
    ),
  },
  'Apple Mail in German': {
    subject: 'Fwd: A broken lamp',
    body: plain(
      'Can somebody call her?',
      '',
      'Anfang der weitergeleiteten Nachricht:',
      '',
      'Von: Ada Lovelace <ada@customer.test>',
      'Betreff: A broken lamp',
      'Datum: 1. März 2026 um 09:00:00 MEZ',
      'An: Robin <robin@acme.test>',
      '',
      ...SAID,
    ),
  },
  Thunderbird: {
    subject: 'Fwd: A broken lamp',
    headers: { 'X-Forwarded-Message-Id': '<lamp@customer.test>' },
    isRich: true,
    body: rich(
      [
        'Can somebody call her?',
        '',
        '',
        '-------- Forwarded Message --------',
        'Subject: \tA broken lamp',
        'Date: \tSun, 1 Mar 2026 09:00:00 +0100',
        'From: \tAda Lovelace <ada@customer.test>',
        'To: \tRobin <robin@acme.test>',
        '',
        '',
        '',
        ...SAID,
      ],
      '<html><body><p>Can somebody call her?</p><div class="moz-forward-container"><br><br>-------- Forwarded Message --------<table class="moz-email-headers-table" cellspacing="0" cellpadding="0" border="0"><tbody><tr><th>Subject: </th><td>A broken lamp</td></tr><tr><th>From: </th><td>Ada Lovelace <a class="moz-txt-link-rfc2396E" href="mailto:ada@customer.test">&lt;ada@customer.test&gt;</a></td></tr></tbody></table><br><br><p>Hello,</p><p>the <b>blue</b> lamp arrived broken.</p><p>Ada</p></div></body></html>',
    ),
  },
  'Thunderbird in German': {
    subject: 'Fwd: A broken lamp',
    body: plain(
      'Can somebody call her?',
      '',
      '-------- Weitergeleitete Nachricht --------',
      'Betreff: \tA broken lamp',
      'Datum: \tSun, 1 Mar 2026 09:00:00 +0100',
      'Von: \tAda Lovelace <ada@customer.test>',
      'An: \tRobin <robin@acme.test>',
      '',
      '',
      ...SAID,
    ),
  },
  'a program that forwards as a file': {
    subject: 'Fwd: A broken lamp',
    isRich: true,
    body: [
      'Content-Type: multipart/mixed; boundary="mix"',
      '',
      '--mix',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Can somebody call her?',
      '--mix',
      'Content-Type: message/rfc822; name="A broken lamp.eml"',
      'Content-Disposition: attachment; filename="A broken lamp.eml"',
      '',
      'From: Ada Lovelace <ada@customer.test>',
      'To: Robin <robin@acme.test>',
      'Subject: A broken lamp',
      'Message-ID: <lamp@customer.test>',
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Hello,</p><p>the <b>blue</b> lamp arrived broken.</p><p>Ada</p>',
      '--mix--',
      '',
    ].join('\r\n'),
  },
}
