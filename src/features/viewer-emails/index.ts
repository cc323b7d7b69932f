export {
  CONFIRM_EMAIL,
  type ConfirmDetails,
  createViewerEmails,
  detailsIn,
  publicName,
  type ViewerEmails,
} from './viewer-emails.ts'
