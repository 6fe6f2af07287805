import { base64, type CorpusMail, eml, PDF } from './mail.ts'

const to = ['help@acme.test']
const CHARLES = 'Charles Babbage <charles@engine.example>'
const SIGNATURE = Buffer.from('3080060900000000000000000000', 'hex')
const PGP_SIGNATURE = '-----BEGIN PGP SIGNATURE-----\r\n\r\niHUEABYKAB0=\r\n=abcd\r\n-----END PGP SIGNATURE-----'
const PGP_MESSAGE = '-----BEGIN PGP MESSAGE-----\r\n\r\nhF4DAAAA\r\n=abcd\r\n-----END PGP MESSAGE-----'

/** Signed and encrypted mails. */
export const secure: readonly CorpusMail[] = [
  {
    name: 'S/MIME, signed',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Signed
Message-ID: <smime-signed@engine.example>
MIME-Version: 1.0
Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary="s"

This is a cryptographically signed message in MIME format.

--s
Content-Type: text/plain; charset=utf-8

I mean it.

--s
Content-Type: application/pkcs7-signature; name="smime.p7s"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="smime.p7s"

${base64(SIGNATURE)}
--s--
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Signed',
      newText: 'I mean it.',
      attachments: [{ fileName: 'smime.p7s', contentType: 'application/pkcs7-signature', content: SIGNATURE }],
    },
    outcome: 'created',
  },
  {
    name: 'S/MIME, encrypted',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Secret
Message-ID: <smime-encrypted@engine.example>
MIME-Version: 1.0
Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="smime.p7m"

${base64(SIGNATURE)}
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Secret',
      newText: 'This mail is encrypted and cannot be shown here. It is attached as it came.',
      attachments: [{ fileName: 'smime.p7m', contentType: 'application/pkcs7-mime', content: SIGNATURE }],
    },
    outcome: 'created',
  },
  {
    name: 'S/MIME, signed in one piece',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Sealed
Message-ID: <smime-opaque@engine.example>
MIME-Version: 1.0
Content-Type: application/x-pkcs7-mime; smime-type=signed-data; name="smime.p7m"
Content-Transfer-Encoding: base64

${base64(SIGNATURE)}
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Sealed',
      newText: 'This mail is signed in a form that cannot be shown here, or encrypted. It is attached as it came.',
      attachments: [{ fileName: 'smime.p7m', contentType: 'application/x-pkcs7-mime', content: SIGNATURE }],
    },
    outcome: 'created',
  },
  {
    name: 'PGP/MIME, signed, with a file',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Signed
Message-ID: <pgp-signed@engine.example>
MIME-Version: 1.0
Content-Type: multipart/signed; micalg=pgp-sha512; protocol="application/pgp-signature"; boundary="s"

--s
Content-Type: multipart/mixed; boundary="m"; protected-headers="v1"

--m
Content-Type: text/plain; charset=utf-8

I still mean it.

--m
Content-Type: application/pdf; name="proof.pdf"
Content-Transfer-Encoding: base64

${PDF.toString('base64')}
--m--

--s
Content-Type: application/pgp-signature; name="OpenPGP_signature.asc"
Content-Disposition: attachment; filename="OpenPGP_signature.asc"

${PGP_SIGNATURE}
--s--
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Signed',
      newText: 'I still mean it.',
      attachments: [
        { fileName: 'proof.pdf', contentType: 'application/pdf', content: PDF },
        {
          fileName: 'OpenPGP_signature.asc',
          contentType: 'application/pgp-signature',
          content: Buffer.from(PGP_SIGNATURE),
        },
      ],
    },
    outcome: 'created',
  },
  {
    name: 'PGP/MIME, encrypted',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: ...
Message-ID: <pgp-encrypted@engine.example>
MIME-Version: 1.0
Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="e"

--e
Content-Type: application/pgp-encrypted

Version: 1

--e
Content-Type: application/octet-stream; name="encrypted.asc"
Content-Disposition: inline; filename="encrypted.asc"

${PGP_MESSAGE}
--e--
`,
    expected: {
      from: CHARLES,
      to,
      subject: '...',
      newText: 'This mail is encrypted and cannot be shown here. It is attached as it came.',
      attachments: [
        { contentType: 'application/pgp-encrypted', content: Buffer.from('Version: 1\r\n') },
        { fileName: 'encrypted.asc', contentType: 'application/octet-stream', content: Buffer.from(PGP_MESSAGE) },
      ],
    },
    outcome: 'created',
  },
  {
    name: 'PGP, signed in the text',
    raw: eml`
From: Charles Babbage <charles@engine.example>
To: help@acme.test
Subject: Signed
Message-ID: <pgp-inline@engine.example>

-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

As it was of old.
${PGP_SIGNATURE}
`,
    expected: {
      from: CHARLES,
      to,
      subject: 'Signed',
      newText: 'As it was of old.',
      text: '-----BEGIN PGP SIGNED MESSAGE-----',
    },
    outcome: 'created',
  },
]
