import { refuse } from '../../model/errors.ts'

/** The refusal of an operation that needs a full account. */
export function guestAccount(email: string) {
  return refuse.conflict(
    'guest_account',
    `${email} is a guest, who opens pages and publishes none. ` +
      `Make it an account first: handbill account add ${email}`,
  )
}

export function accountGone() {
  return refuse.unauthenticated('signed_out', 'This account was deleted.')
}
