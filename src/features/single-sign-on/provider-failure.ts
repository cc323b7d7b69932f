/** `expired`: the code was used or is too old. `invalid`: the answer failed verification. */
export type FailureReason = 'unavailable' | 'cancelled' | 'refused' | 'expired' | 'invalid'

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  constructor(
    readonly reason: FailureReason,
    cause: unknown,
  ) {
    super(`The provider did not sign in: ${reason}.`, { cause })
  }
}
