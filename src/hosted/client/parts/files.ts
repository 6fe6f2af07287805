import { writeSize } from '../../../lib/language/amounts.ts'
import type { Fault } from '../answering/checks.ts'
import type { SentFile } from '../answering/sent-files.ts'
import { give, toolsFor } from './kit.ts'
import { MAX_SIZE, sendFile, tooLarge, type UploadProblem } from './uploading.ts'

const { all, one, sentIn, keepSent, newKey, locale, say } = toolsFor('files')

/** A file on its way, or waiting to be sent again: under the same key it is stored once. */
interface Going {
  readonly file: File
  readonly key: string
  readonly row: HTMLElement
  stop: AbortController | null
}

type Complain = (fault: Fault | null) => void

/** The slots of a file question: each file is sent once it is chosen or dropped, with its progress. */
function files(question: HTMLElement, path: string, complain: Complain): void {
  for (const slot of all(question, '.slot')) {
    const filled = sending(slot, path, complain)
    question.addEventListener('sync', filled.show)
    listen(slot, filled)
  }
}

/** Takes files into a slot, sends them one after the other, and takes them out again. */
function sending(slot: HTMLElement, path: string, complain: Complain) {
  const most = Number(slot.dataset.most)
  const input = one<HTMLInputElement>(slot, 'input[type=file]')
  const hidden = one<HTMLInputElement>(slot, 'input[type=hidden]')
  const status = one(slot, '.status')
  const [sentRow, goingRow] = [rowToCopy(slot, '.sent'), rowToCopy(slot, '.unsent')]
  const going = new Set<Going>()
  let queue = Promise.resolve()

  const room = () => most - sentIn(hidden).length - going.size

  /** Makes a change to the rows. The focus, where it was in what has gone, moves to `next`. */
  function change(work: () => void, next?: () => HTMLElement): void {
    const focused = slot.contains(document.activeElement) ? document.activeElement : null
    work()
    const isFull = room() <= 0
    one(slot, '.drop').hidden = one(slot, '[data-photo]').hidden = input.hidden = input.disabled = isFull
    if (focused && next && (!focused.isConnected || focused.matches('[hidden], :disabled'))) next().focus()
  }

  function rowOf(sent: SentFile): HTMLElement {
    const row = copyOf(sentRow)
    one(row, '.file-name').textContent = labelOf(sent)
    const remove = one(row, '[data-remove]')
    if (most > 1) remove.ariaLabel = say('removeFile', { file: sent.name })
    remove.addEventListener('click', () => {
      const keep = () => {
        keepSent(
          hidden,
          sentIn(hidden).filter(({ uploadId }) => uploadId !== sent.uploadId),
        )
        row.remove()
      }
      removed(keep)
    })
    return row
  }

  function removed(work: () => void): void {
    change(work, () => input)
    status.textContent = say('fileRemoved')
  }

  /** Shows what is sent: as the page begins, and once the question was cleared. */
  function show(): void {
    change(() => {
      for (const row of all(slot, '.sent')) row.remove()
      status.before(...sentIn(hidden).map(rowOf))
    })
  }

  function stepTo({ row, stop }: Going, share: number): void {
    const [part, progress, retry] = [one(row, '.part'), one<HTMLProgressElement>(row, 'progress'), retryIn(row)]
    progress.value = share
    part.textContent = share.toLocaleString(locale, { style: 'percent' })
    progress.hidden = part.hidden = !stop
    retry.hidden = !!stop
  }

  async function send(mine: Going): Promise<void> {
    const { file, key, row, stop } = mine
    if (!stop || stop.signal.aborted) return
    status.textContent = say('sendingFile', { file: file.name })
    try {
      const content = { content: file, name: file.name, key }
      const uploadId = await sendFile(path, content, {
        onProgress: (share) => stepTo(mine, share),
        signal: stop.signal,
      })
      if (uploadId === null) return
      const sent = { uploadId, name: file.name, size: file.size }
      const there = rowOf(sent)
      change(
        () => {
          going.delete(mine)
          row.replaceWith(there)
          keepSent(hidden, [...sentIn(hidden), sent])
        },
        () => one(there, '[data-remove]'),
      )
      status.textContent = say('fileSent', { file: file.name })
    } catch (problem) {
      fail(mine, problem as UploadProblem)
    }
  }

  function fail(mine: Going, { message, mayRetry }: UploadProblem): void {
    const next = mayRetry ? retryIn(mine.row) : input
    const hadFocus = mine.row.contains(document.activeElement)
    change(() => {
      mine.stop = null
      stepTo(mine, 0)
      if (mayRetry) return
      going.delete(mine)
      mine.row.remove()
    })
    if (hadFocus) next.focus()
    status.textContent = ''
    complain({ message, at: next })
  }

  function begin(mine: Going): void {
    mine.stop = new AbortController()
    stepTo(mine, 0)
    queue = queue.then(() => send(mine))
  }

  /** Sends again what could not be sent. */
  function retry(mine: Going): void {
    if (mine.stop) return
    complain(null)
    const hadFocus = mine.row.contains(document.activeElement)
    begin(mine)
    if (hadFocus) one(mine.row, '[data-cancel]').focus()
  }

  function add(file: File): void {
    const row = copyOf(goingRow)
    const mine: Going = { file, key: newKey(), row, stop: null }
    one(row, '.file-name').textContent = labelOf(file)
    const cancel = one(row, '[data-cancel]')
    cancel.addEventListener('click', () => {
      mine.stop?.abort()
      complain(null)
      removed(() => {
        going.delete(mine)
        row.remove()
      })
    })
    retryIn(row).addEventListener('click', () => retry(mine))
    change(
      () => {
        going.add(mine)
        status.before(row)
      },
      () => cancel,
    )
    begin(mine)
  }

  return {
    show,
    /** Takes in what was chosen: all of it that is not too large, or nothing where it is too many. */
    choose(chosen: readonly File[]): void {
      // Which of several the slot is for is not ours to guess.
      if (chosen.length > room()) {
        complain({ message: most === 1 ? say('oneFile') : say('fewerFiles', { count: most }), at: input })
        return
      }
      complain(null)
      for (const file of chosen) {
        if (file.size <= MAX_SIZE) add(file)
        else complain({ message: tooLarge(file.name), at: input })
      }
    },
    retryAll(): void {
      for (const mine of going) retry(mine)
    },
  }
}

/** Does what people ask for by the controls of a slot. */
function listen(slot: HTMLElement, filled: ReturnType<typeof sending>): void {
  const input = one<HTMLInputElement>(slot, 'input[type=file]')
  const drop = one(slot, '.drop')
  const take = () => {
    const chosen = [...(input.files ?? [])]
    input.value = ''
    if (chosen.length > 0) filled.choose(chosen)
  }
  input.addEventListener('change', take)
  one(slot, '[data-photo]').addEventListener('click', () => {
    // The same field, which for this once asks for the camera.
    input.accept = 'image/*'
    input.setAttribute('capture', 'environment')
    input.click()
    input.accept = ''
    input.removeAttribute('capture')
  })
  for (const name of ['dragover', 'dragleave', 'drop']) {
    drop.addEventListener(name, (event) => {
      event.preventDefault()
      drop.classList.toggle('over', name === 'dragover')
      const dropped = name === 'drop' ? [...((event as DragEvent).dataTransfer?.files ?? [])] : []
      if (dropped.length > 0) filled.choose(dropped)
    })
  }
  addEventListener('online', filled.retryAll)
  // What was chosen before this script came.
  take()
}

const retryIn = (row: HTMLElement) => one(row, '[data-retry]')

/** Takes the row that the page came with out of it, for copies. */
function rowToCopy(slot: HTMLElement, selector: string): HTMLElement {
  const row = one(slot, selector)
  row.remove()
  return row
}

function copyOf(row: HTMLElement): HTMLElement {
  const copy = row.cloneNode(true) as HTMLElement
  copy.hidden = false
  return copy
}

function labelOf({ name, size }: { name: string; size: number }): string {
  return `${name} (${writeSize(size, locale)})`
}

give('files', files)
