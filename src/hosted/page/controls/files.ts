import { html } from '../../../lib/html/markup.ts'
import { writeSize } from '../../../lib/language/amounts.ts'
import { MAX_FILE_SIZE } from '../../../uploads/limits.ts'
import { icons } from '../icons.ts'
import { type Control, idOf } from './types.ts'

/**
 * Each file is sent as soon as it is chosen; its id waits in the hidden field. The row of a file that was sent and that of
 * one that is not are the script's to copy, for as many as there are.
 */
export const fileUpload: Control<'file_upload'> = {
  render: ({ settings: { fileUploadSlots, maxFiles }, ...question }, { say, langOf }) => {
    const choose = maxFiles === 1 ? say('chooseFile') : say('chooseFiles', { count: maxFiles })
    const several = maxFiles > 1 && html` multiple`
    return html`<div class="slots">${fileUploadSlots.map((label, slot) => {
      const id = idOf(question, slot)
      return html`<div class="slot" data-slot="${slot}" data-most="${maxFiles}">
      <label class="drop" for="${id}-file">${icons.upload}<span><strong id="${id}-name"${langOf(label)}>${label}</strong><small>${choose}</small></span></label>
      <input type="file"${several} class="sr" id="${id}-file" aria-describedby="${id}-status ${idOf(question, 'error')}">
      <div class="sent" hidden>${icons.file}<span class="file-name"></span><button type="button" class="quiet" data-remove aria-label="${say('removeFile', { file: label })}">${say('remove')}</button></div>
      <button type="button" class="quiet photo" data-photo aria-describedby="${id}-name">${say('takePhoto')}</button>
      <div class="unsent" hidden>${icons.upload}<span class="file-name"></span><span class="part" aria-hidden="true"></span><button type="button" class="quiet" data-retry aria-describedby="${id}-name">${say('tryAgain')}</button><button type="button" class="quiet" data-cancel aria-describedby="${id}-name">${say('cancel')}</button><progress max="1" value="0" aria-label="${say('sendingFile', { file: label })}"></progress></div>
      <p class="status sr" id="${id}-status" role="status"></p>
      <input type="hidden" id="${id}" value="">
    </div>`
    })}</div>`
  },
  hint: (_, { say, locale }) => say('sizeLimit', { size: writeSize(MAX_FILE_SIZE, locale) }),
}

export const signature: Control<'signature'> = {
  render: (question, { say }) => html`<div class="signature">
    <div class="pad"><canvas width="1200" height="500" role="img" aria-label="${say('signature')}"></canvas><span class="line" aria-hidden="true"></span></div>
    <div class="signature-row">
      <div class="field"><label for="${idOf(question, 'typed')}">${say('typeName')}</label>
      <input class="text" type="text" id="${idOf(question, 'typed')}" autocomplete="name" maxlength="60"></div>
      <button type="button" class="quiet" data-erase>${say('erase')}</button>
    </div>
    <input type="hidden" id="${idOf(question, 'signature')}" value="">
  </div>`,
  hint: (_, { say }) => say('signatureHint'),
}
