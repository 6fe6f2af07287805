import { serveJobs } from '../lib/concurrency/side-thread.ts'
import { renderArticle } from './markup.ts'

serveJobs(renderArticle)
