import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as german } from '@zxcvbn-ts/language-de'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import { serveJobs } from '../../lib/concurrency/side-thread.ts'
import type { Guess, ToGuess } from './guessing.ts'

const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english, ...german },
  graphs: adjacencyGraphs,
})

serveJobs(({ password, words }: ToGuess): Guess => {
  const { score, feedback } = estimator.check(password, [...words])
  return { score, warning: feedback.warning }
})
