import { base64, type CorpusMail, eml, hex, SETUP } from './mail.ts'

// 你好，我的订单在哪里？ in GB 18030.
const QUESTION = 'c4e3 bac3 a3ac ced2 b5c4 b6a9 b5a5 d4da c4c4 c0ef a3bf'
// 在 2026年11月20日 16:02，Acme 写道： in GB 2312.
const ATTRIBUTION = 'd4da 20 32303236 c4ea 3131 d4c2 3230 c8d5 20 31363a3032 a3ac 41636d65 20 d0b4 b5c0 a3ba'

/** Mails of QQ and NetEase, whose encodings and separators are their own. */
export const chinese: readonly CorpusMail[] = [
  {
    name: 'QQ: an answer in GB 18030',
    raw: eml`
From: "=?gb18030?B?sKy07w==?=" <ada@customer.example>
To: "=?gb18030?B?aGVscA==?=" <help@acme.test>
Subject: =?gb18030?B?u9i4tKO6tqm1pQ==?=
Mime-Version: 1.0
Content-Type: multipart/alternative; boundary="----=_NextPart_655F"
Content-Transfer-Encoding: 8Bit
Date: Sat, 21 Nov 2026 17:15:00 +0800
X-Priority: 3
Message-ID: <tencent_0123456789ABCDEF@qq.com>
X-QQ-MIME: TCMime 1.0 by Tencent
References: ${SETUP.answer}
In-Reply-To: ${SETUP.answer}

------=_NextPart_655F
Content-Type: text/plain; charset="gb18030"
Content-Transfer-Encoding: base64

${base64(Buffer.concat([hex(QUESTION), Buffer.from('\r\n\r\n------------------ '), hex('d4ad cabc d3ca bcfe'), Buffer.from(' ------------------\r\nIt was sent yesterday.')]))}

------=_NextPart_655F
Content-Type: text/html; charset="gb18030"
Content-Transfer-Encoding: base64

${base64(Buffer.concat([Buffer.from('<div>'), hex(QUESTION), Buffer.from('</div><div><includetail><div>&nbsp;</div><div style="font:Verdana normal 14px;color:#000;"><div style="FONT-SIZE: 12px;FONT-FAMILY: Arial Narrow;padding:2px 0 2px 0;">------------------&nbsp;'), hex('d4ad cabc d3ca bcfe'), Buffer.from('&nbsp;------------------</div><div style="background:#efefef;padding:8px;">help@acme.test</div><div>It was sent yesterday.</div></div></includetail></div>')]))}

------=_NextPart_655F--
`,
    expected: {
      from: '艾达 <ada@customer.example>',
      to: ['help <help@acme.test>'],
      subject: '回复：订单',
      newText: '你好，我的订单在哪里？',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
  {
    name: 'NetEase: an answer in GB 2312, in eight bits',
    raw: eml`
From: ada@customer.example
To: help@acme.test
Subject: Re:Where is my order?
Content-Type: text/plain; charset=gb2312
Content-Transfer-Encoding: 8bit
MIME-Version: 1.0
Message-ID: <4f1e2d3c.1a2b.18bf0000000.Coremail.ada@customer.example>
In-Reply-To: ${SETUP.answer}

${hex(QUESTION)}

${hex(ATTRIBUTION)}
It was sent yesterday.
`,
    expected: {
      from: 'ada@customer.example',
      to: ['help@acme.test'],
      subject: 'Re:Where is my order?',
      newText: '你好，我的订单在哪里？',
      references: [SETUP.answer],
    },
    outcome: 'threaded',
  },
]
