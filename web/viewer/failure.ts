import type { Message } from './message.ts'

/** Turns an error of pdf.js into a message that says what to do next. */
export function explainFailure(error: unknown): Message {
  const { name, status } = error as { name?: string; status?: number }
  const again = { label: 'Load again', run: () => location.reload() }
  if (name === 'InvalidPDFException' || name === 'FormatError') {
    return {
      title: 'This PDF could not be read',
      text: 'The file is damaged or incomplete. Ask the owner to publish it again.',
    }
  }
  if (name === 'ResponseException' && status !== undefined && status >= 400) {
    return {
      title: 'This file is not there any more',
      text:
        'The owner closed or changed the link since you opened it. ' +
        'Load the page again to see how it is now.',
      action: again,
    }
  }
  return {
    title: 'The file did not arrive',
    text:
      'The connection broke, or this browser is too old to show a PDF here. ' +
      'Load the page again, or use another browser.',
    action: again,
  }
}
