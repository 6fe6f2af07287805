import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { plainText, richHtml, simpleHtml } from '../../../src/lib/html/sanitise.ts'
import { messageOf } from '../../support/forms/questions.ts'
import { hostileHtml } from '../../support/pages/hostile-html.ts'

const link = '<a href="https://acme.test/" rel="noopener noreferrer nofollow">x</a>'

describe('simple HTML', () => {
  test.each([
    ['keeps plain text', 'Colour?', 'Colour?'],
    ['keeps marks', '<b>a</b><i>b</i><em>c</em><strong>d</strong><u>e</u><s>f</s>', null],
    ['keeps paragraphs, lists and quotes', '<p>a<br />b</p><ul><li>c</li></ul><ol><li>d</li></ol>', null],
    ['keeps code and quotes', '<blockquote><code>a</code></blockquote><span>b</span><sub>c</sub><sup>d</sup>', null],
    ['gives links a rel', '<a href="https://acme.test/">x</a>', link],
    ['replaces the rel of links', '<a href="https://acme.test/" rel="opener">x</a>', link],
    [
      'keeps a new window',
      '<a target="_blank" href="mailto:a@b.test">x</a>',
      '<a href="mailto:a@b.test" rel="noopener noreferrer nofollow" target="_blank">x</a>',
    ],
    ['drops other targets', '<a href="https://acme.test/" target="_top">x</a>', link],
    ['drops addresses of other schemes', '<a href="ftp://acme.test/">x</a>', '<a>x</a>'],
    ['drops relative addresses', '<a href="/console">x</a>', '<a>x</a>'],
    ['drops addresses without a scheme', '<a href="//acme.test">x</a>', '<a>x</a>'],
    ['drops styles, classes and ids', '<p style="color:red" class="x" id="y">a</p>', '<p>a</p>'],
    ['unwraps what it does not know', '<h1>a</h1><table><tr><td>b</td></tr></table>', 'ab'],
    ['drops images', 'a<img src="https://acme.test/a.png">b', 'ab'],
    ['drops scripts and styles whole', 'a<script>b</script><style>c</style>d', 'ad'],
    ['drops comments', 'a<!-- b -->c', 'ac'],
    ['escapes what is no tag', '1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
    ['keeps entities', '&lt;b&gt; &amp;amp; caf&eacute;', '&lt;b&gt; &amp;amp; café'],
    ['closes what is open', '<b>a<i>b', '<b>a<i>b</i></b>'],
    ['of nothing is nothing', '', ''],
  ])('%s', (_, html, expected) => expect(simpleHtml(html)).toBe(expected ?? html))

  test('unwraps what is nested too deep', () => {
    expect(simpleHtml(`${'<b>'.repeat(5000)}x`).length).toBeLessThan(500)
  })
})

describe('rich HTML', () => {
  test.each([
    ['keeps headings and rules', '<h1>a</h1><h6>b</h6><hr />', null],
    [
      'keeps tables',
      '<table><thead><tr><th colspan="2" scope="col">a</th></tr></thead><tbody><tr><td align="right">b</td></tr></tbody></table>',
      null,
    ],
    ['keeps https images', '<img src="https://acme.test/a.png" alt="a" width="10" height="20" />', null],
    [
      'keeps apart what stands in lines of its own',
      '<center class="x">a</center><section>b</section><address>c</address>',
      '<div>a</div><div>b</div><div>c</div>',
    ],
    ['drops the title of a page', '<head><title>Mail &amp; co</title></head><p>a</p>', '<p>a</p>'],
    ['keeps inline attachments', '<img src="cid:1@acme.test" />', null],
    ['keeps raster data images', '<img src="data:image/png;base64,iVBORw0KGgo=" />', null],
    ['drops svg data images', '<img src="data:image/svg+xml;base64,PHN2Zz4=">', ''],
    ['drops other data', '<img src="data:text/html;base64,PHN2Zz4=">', ''],
    ['drops http images', '<img src="http://acme.test/a.png">', ''],
    ['drops images without an address', '<img alt="a">', ''],
    ['drops srcset', '<img src="cid:a" srcset="https://acme.test/b.png 2x" />', '<img src="cid:a" />'],
    [
      'drops forms and keeps their words',
      '<form action="https://evil.test"><input name="a"><button>b</button></form>',
      '<div>b</div>',
    ],
    ['drops styles', '<div style="position:fixed">a</div>', '<div>a</div>'],
  ])('%s', (_, html, expected) => expect(richHtml(html)).toBe(expected ?? html))
})

describe('plain text of HTML', () => {
  test.each([
    ['<p>Hello <b>Ada</b>,</p><p>thanks &amp; bye</p>', 'Hello Ada,\n\nthanks & bye'],
    ['a<br>b', 'a\nb'],
    ['<ul><li>one</li><li>two</li></ul>', ' * one\n * two'],
    ['<a href="https://acme.test/">here</a>', 'here [https://acme.test/]'],
    ['<a href="https://acme.test/">https://acme.test/</a>', 'https://acme.test/'],
    ['<h1>Title</h1>text', 'Title\n\ntext'],
    ['<img src="cid:a" alt="logo">x', 'x'],
    ['', ''],
  ])('%s', (html, text) => expect(plainText(html)).toBe(text))
})

describe('HTML that gets longer than 512 KiB once it is sanitised', () => {
  test.each([
    ['simple', simpleHtml],
    ['rich', richHtml],
  ])('is a 400 that names the place: %s', (_, sanitise) => {
    const most = `${'&'.repeat(104_857)}xxx`
    expect(sanitise(most, 'html')).toHaveLength(512 * 1024)
    const tooMuch = () => sanitise(`${most}x`, 'pages[0].title')
    expect(messageOf(tooMuch)).toBe('pages[0].title: must be at most 512 KiB once it is sanitised')
    expect(messageOf(() => sanitise('é&'.repeat(80_000), 'html'))).toStartWith('html: must be at most 512 KiB')
  })
})

describe('hostile HTML', () => {
  test('comes in at least 60 kinds', () => expect(hostileHtml.length).toBeGreaterThanOrEqual(60))

  test.each(hostileHtml)('has a plain text: %j', (html) => {
    expect(plainText(html)).toBeString()
  })

  for (const [name, sanitise] of [
    ['simple', simpleHtml],
    ['rich', richHtml],
  ] as const) {
    test.each(hostileHtml)(`${name}: %j`, async (html) => {
      for (const variant of [
        html,
        html.toUpperCase(),
        `<p>${html}</p>`,
        `<table><td>${html}`,
        html.replaceAll('"', ''),
      ]) {
        const clean = sanitise(variant)
        await expectHarmless(clean)
        expect(sanitise(clean)).toBe(clean)
      }
    })
  }
})

describe('any text', () => {
  const tag = fc.constantFrom(
    ...[
      '<b>',
      '</b>',
      '<p',
      '>',
      '<',
      '</',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<svg>',
      '<style>',
      '</style>',
      '<math>',
    ],
    ...[
      '<script>',
      '</script>',
      '<textarea>',
      '</textarea>',
      '<a href=',
      '"',
      "'",
      '`',
      'javascript:',
      '<img src=x ',
      '=',
    ],
    ...[
      'onerror=alert(1)',
      '&lt;',
      '&#60;',
      '&#x3c;',
      '&amp;',
      '&',
      ';',
      '<table>',
      '<td>',
      '<li>',
      '<ul>',
      '<br/>',
      '\0',
    ],
    ...[
      '<noscript>',
      '<title>',
      '<xmp>',
      '<plaintext>',
      '<template>',
      '<select>',
      '<option>',
      '<form>',
      ' ',
      '\n',
      'x',
      '/',
    ],
  )
  const html = fc.oneof(
    fc.string(),
    fc.array(tag, { maxLength: 25 }).map((parts) => parts.join('')),
  )

  test('is the same, sanitised once or twice, and harmless', async () => {
    const property = fc.asyncProperty(html, async (text) => {
      for (const sanitise of [simpleHtml, richHtml]) {
        const clean = sanitise(text)
        expect(sanitise(clean)).toBe(clean)
        await expectHarmless(clean)
      }
      expect(plainText(text)).toBeString()
    })
    await fc.assert(property, { numRuns: 2000 })
  })
})

const HARMLESS_TAGS = new Set(
  (
    'a b br code em i s span strong sub sup u blockquote li ol p ul h1 h2 h3 h4 h5 h6 hr pre div dl dt dd del ins mark ' +
    'small img table caption thead tbody tfoot tr th td'
  ).split(' '),
)
const HARMLESS_ATTRIBUTES = /^(href|rel|target|title|src|alt|width|height|colspan|rowspan|align|valign|scope)$/
const HARMLESS_ADDRESS = /^(https?:\/\/|mailto:|cid:|data:image\/(png|jpeg|gif|webp);base64,)/i

/** Reads `html` with another parser than the one that made it: only listed tags, attributes and addresses. */
async function expectHarmless(html: string): Promise<void> {
  const faults: string[] = []
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      if (!HARMLESS_TAGS.has(element.tagName.toLowerCase())) faults.push(element.tagName)
      for (const [name, value] of element.attributes) {
        if (!HARMLESS_ATTRIBUTES.test(name)) faults.push(name)
        if ((name === 'href' || name === 'src') && !HARMLESS_ADDRESS.test(value)) faults.push(value)
      }
    },
    comments: (comment) => void faults.push(`<!--${comment.text}-->`),
  })
  await rewriter.transform(new Response(html)).text()
  expect(faults).toEqual([])
}
