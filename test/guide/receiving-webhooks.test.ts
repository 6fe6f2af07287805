import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import receiving from '../../src/guide/receiving-webhooks.md' with { type: 'text' }
import { blocksOf } from '../support/sources/text-blocks.ts'
import vectors from '../webhooks/vectors.json'

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-guide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Calls of `verify`, as Base64 so that no language has to quote them, and what each should say. */
const calls = vectors.xSignature.flatMap(({ secret, body, signature }) => [
  { secret, body, signature, expected: true },
  { secret, body: `${body} `, signature, expected: false },
  { secret: `${secret}x`, body, signature, expected: false },
  { secret, body, signature: signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')), expected: false },
  { secret, body, signature: '', expected: false },
])
const base64 = (text: string) => Buffer.from(text).toString('base64')
const lines = (call: (secret: string, body: string, signature: string) => string) =>
  calls.map(({ secret, body, signature }) => call(base64(secret), base64(body), signature)).join('\n')

interface Language {
  program: string
  file: string
  command: string[]
  /** The snippet, with calls that print true or false, a line each. */
  complete(snippet: string): string
}

const languages: Record<string, Language> = {
  js: {
    program: 'node',
    file: 'verify.mjs',
    command: ['node', 'verify.mjs'],
    complete: (snippet) =>
      `${snippet}\nconst b = (text) => Buffer.from(text, 'base64')\n${lines((secret, body, signature) => `console.log(verify(b('${secret}').toString(), b('${body}'), '${signature}'))`)}`,
  },
  python: {
    program: 'python3',
    file: 'verify.py',
    command: ['python3', 'verify.py'],
    complete: (snippet) =>
      `${snippet}\nb = base64.b64decode\n${lines((secret, body, signature) => `print(str(verify(b('${secret}').decode(), b('${body}'), '${signature}')).lower())`)}`,
  },
  go: {
    program: 'go',
    file: 'verify.go',
    command: ['go', 'run', 'verify.go'],
    complete: (snippet) =>
      `${snippet.replace('package webhook', 'package main').replace('import (', 'import (\n\t"fmt"')}
func b(text string) []byte { bytes, _ := base64.StdEncoding.DecodeString(text); return bytes }
func main() {\n${lines((secret, body, signature) => `fmt.Println(Verify(string(b("${secret}")), b("${body}"), "${signature}"))`)}\n}`,
  },
  php: {
    program: 'php',
    file: 'verify.php',
    command: ['php', 'verify.php'],
    complete: (snippet) =>
      `${snippet}\n${lines((secret, body, signature) => `echo json_encode(verify(base64_decode('${secret}'), base64_decode('${body}'), '${signature}')), "\\n";`)}`,
  },
  java: {
    program: 'java',
    file: 'Verify.java',
    command: ['java', 'Verify.java'],
    complete: (snippet) => {
      const at = snippet.indexOf('class Webhook')
      const all = lines(
        (secret, body, signature) =>
          `System.out.println(Webhook.verify(new String(b("${secret}"), StandardCharsets.UTF_8), b("${body}"), "${signature}"));`,
      )
      return `${snippet.slice(0, at)}
class Verify {
  static byte[] b(String text) { return Base64.getDecoder().decode(text); }
  public static void main(String[] none) throws Exception {\n${all}\n}
}
${snippet.slice(at)}`
    },
  },
}

describe('the chapter on receiving webhooks', () => {
  test('quotes the test vectors', () => {
    const quoted = [...receiving.matchAll(/^\| `(.+?)` \| `(.+?)` \| `([^`]{44})` \|$/gm)].map((cells) =>
      cells.slice(1),
    )
    const known = vectors.xSignature.filter(({ body }) => body !== '')
    expect(quoted).toEqual(known.map(({ secret, body, signature }) => [secret, body, signature]))
  })

  test('has a snippet in five languages', () => {
    expect([...receiving.matchAll(/^```(\w+)$/gm)].map((block) => block[1])).toEqual([
      'json',
      'js',
      'sh',
      'console',
      'console',
      ...Object.keys(languages),
    ])
  })

  for (const [name, { program, file, command, complete }] of Object.entries(languages)) {
    test.if(Bun.which(program) !== null || process.env.CI === 'true')(`verifies in ${name}`, () => {
      const snippet = blocksOf('src/guide/receiving-webhooks.md').findLast(({ language }) => language === name)
      writeFileSync(join(folder, file), complete(snippet?.text ?? ''))
      const { stdout, stderr } = Bun.spawnSync(command, { cwd: folder })
      expect(stderr.toString()).toBe('')
      expect(stdout.toString().trim().split('\n')).toEqual(calls.map(({ expected }) => String(expected)))
    })
  }
})
