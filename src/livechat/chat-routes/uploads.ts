import type { Tx } from '../../db/index.ts'
import type { Deps } from '../../deps.ts'
import { type StoredFile, typeByName } from '../../files/content.ts'
import { clientOf } from '../../http/context.ts'
import { type Answer, writer } from '../../http/idempotency/write.ts'
import { uploadLimits } from '../../uploads/limits.ts'
import type { FilePart } from '../../uploads/multipart.ts'
import { addChatUpload } from '../../uploads/of-chats.ts'
import { declaredLength, receiveUpload } from '../../uploads/receive.ts'
import type { Admission } from './admission.ts'

/** Takes in the file that a visitor sends, for a message of theirs to name (decisions §20). */
export function uploadTaker(deps: Deps, admission: Admission) {
  const admitUpload = uploadLimits(deps)
  const { writeAs } = writer(deps)
  return async (request: Request) => {
    const visitor = admission.visitorOf(request)
    const caller = admission.callerOf(visitor, request)
    const admitted = await admitUpload(clientOf(request), declaredLength(request))
    const record = (id: string, { fileName, stored }: FilePart<StoredFile>) => {
      const upload = { ...stored, contentType: typeByName(stored, fileName), id, fileName }
      const keep = async (tx: Tx): Promise<Answer<{ uploadId: string }>> => {
        await addChatUpload(tx, caller, visitor.visitorId, upload, admitted.sender)
        return { status: 201, body: { uploadId: id } }
      }
      const content = { fileName, sha256: stored.sha256 }
      return writeAs(caller, request, keep, { sender: visitor.visitorId, content })
    }
    return receiveUpload(request, caller, deps.files, 'attachments', admitted, record).finally(admitted.end)
  }
}
