import { serveJobs } from '../lib/side-thread.ts'
import { renderArticle } from './markup.ts'

serveJobs(renderArticle)
