/* What stands below somebody's mails. */
export const signature = {
  signatureTitle: 'Signature',
  signatureHelp: 'Stands below your answers by email. Plain text, or HTML where you want links and bold letters.',
  signatureShown: 'Customers see',
  signatureIsSaved: 'Your signature is saved.',
} as const
