import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { quote, readFields, readList, readString } from '../../lib/input/read.ts'
import { MAX_ANSWER_ITEMS, part, readIndex, requireKnownIndexes } from './answers.ts'
import { int32Or, labelList } from './fields.ts'
import { sizeOfControls } from './page-size.ts'
import { type AnswerContext, questionType, type Upload } from './types.ts'

// SVG can hold scripts, and no drawing of a signature needs it.
const SIGNATURE_TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** A slot with its buttons and messages, on a page, in bytes. */
const SLOT_SIZE = 900

/** Files of all slots fit into one answer (`MAX_ANSWER_ITEMS`). */
const MOST_SLOTS = 50
/** The most files that one slot may take (decisions §21). */
const MOST_FILES = 10

/** Sent as `[{slot, uploadId}]`, once for each file (decisions §6, §21); a required one asks for a file in every slot. */
export const fileUpload = questionType({
  type: 'file_upload',
  meaning: 'Upload slots, of one file each or of several.',
  fields: {
    fileUploadSlots: labelList({
      min: 1,
      max: MOST_SLOTS,
      noun: 'file upload slot',
      description: 'Labels of the slots.',
      example: ['Photo of the damage'],
    }),
    maxFiles: int32Or(1, 'How many files each slot takes.', { min: 1, max: MOST_FILES }),
  },
  answerSchema: Type.Array(
    Type.Object({
      slot: Type.Integer({ description: 'Index into fileUploadSlots; the same for several files of one slot.' }),
      fileName: Type.String({ examples: ['photo.png'] }),
      contentType: Type.String({ examples: ['image/png'] }),
      size: Type.Integer({ description: 'In bytes.' }),
      url: Type.String({ description: 'Path at which the file is read, with a key.' }),
    }),
  ),
  accept: (value, _settings, place, ctx) =>
    readList(value, MAX_ANSWER_ITEMS, place).map((item, index) => {
      const given = readFields(item, ['slot', 'uploadId'], part(place, `[${index}]`))
      const slot = readIndex(given.slot, part(place, `[${index}].slot`))
      const { fileName, contentType, size, url } = readUpload(given.uploadId, part(place, `[${index}].uploadId`), ctx)
      return { slot, fileName, contentType, size, url }
    }),
  pageSize: ({ fileUploadSlots }) => sizeOfControls(fileUploadSlots, SLOT_SIZE),
  isEmpty: (answer) => answer.length === 0,
  check(answer, { fileUploadSlots, maxFiles }, place, required) {
    const slots = answer.map(({ slot }) => slot)
    const given = maxFiles === 1 ? slots : [...new Set(slots)]
    requireKnownIndexes(given, { count: fileUploadSlots.length, noun: 'slot', all: required }, place)
    const full = given.find((slot) => slots.filter((other) => other === slot).length > maxFiles)
    if (full !== undefined) throw invalid(place, rule('too_many_files', { index: full, most: maxFiles }))
  },
  sample: ({ fileUploadSlots }, _random, uploadId) =>
    uploadId === null ? null : fileUploadSlots.map((_, slot) => ({ slot, uploadId })),
  text: (answer, { fileUploadSlots }) =>
    answer.map(({ slot, fileName }) => `${fileUploadSlots[slot] ?? slot}: ${fileName}`).join('\n'),
})

/** Sent as `{uploadId}` (decisions §6), the upload being a raster image. */
export const signature = questionType({
  type: 'signature',
  meaning: 'A drawn signature.',
  fields: {},
  answerSchema: Type.Object({
    contentType: Type.String({ examples: ['image/png'] }),
    size: Type.Integer({ description: 'In bytes.' }),
    url: Type.String({ description: 'Path at which the image is read, with a key.' }),
  }),
  accept(value, _settings, place, ctx) {
    const given = readFields(value, ['uploadId'], place)
    const { contentType, size, url } = readUpload(given.uploadId, part(place, '.uploadId'), ctx)
    return { contentType, size, url }
  },
  check(answer, _settings, place) {
    if (!SIGNATURE_TYPES.includes(answer.contentType)) {
      throw invalid(place, rule('image_type', { types: SIGNATURE_TYPES.join(', ') }))
    }
  },
  sample: (_settings, _random, uploadId) => (uploadId === null ? null : { uploadId }),
  text: () => 'Signed',
})

function readUpload(value: unknown, place: string, ctx: AnswerContext): Upload {
  const uploadId = readString(value, 100, place)
  const upload = ctx.upload(uploadId)
  if (!upload) throw invalid(place, rule('upload_unknown', { upload: quote(uploadId) }))
  return upload
}
