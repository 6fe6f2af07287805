/** What is kept as files, by the tables of their records: the folders, or beginnings of keys, they lie under, too. */
export const fileKinds = ['uploads', 'attachments', 'received_mails', 'contact_imports', 'article_images'] as const
export type FileKind = (typeof fileKinds)[number]
