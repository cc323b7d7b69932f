import { refuse } from '../../model/errors.ts'

const MIB = 1024 * 1024

/** Who sent a body: anybody, or the holder of an API key. */
export type Sender = 'stranger' | 'key'

/** The memory that the bodies of one kind of sender may take at the same time. */
export interface Budget {
  totalBytes: number
  /** The part of the total that requests from one client address may take. */
  perAddressBytes: number
}

/** Large enough for hundreds of forms at once; a key may send bodies of 4 MB. */
export const BODY_BUDGETS: Readonly<Record<Sender, Budget>> = {
  stranger: { totalBytes: 64 * MIB, perAddressBytes: 16 * MIB },
  key: { totalBytes: 256 * MIB, perAddressBytes: 128 * MIB },
}
const RETRY_AFTER_S = 2

export interface BodyBudgets {
  /**
   * Reserves memory for bytes of the request's body.
   *
   * @throws Refusal `server_busy`, and then reserves nothing
   */
  reserve(request: Request, sender: Sender, bytes: number): void
  /** Frees all that the request reserved. Called once it is answered, whatever came of it. */
  release(request: Request): void
  /** What is reserved now, for all senders. */
  reservedBytes(): number
}

interface Reservation {
  sender: Sender
  address: string
  bytes: number
}

/** Bounds the memory of request bodies: of all together, and of those from one address. */
export function createBodyBudgets(
  addressOf: (request: Request) => string,
  budgets: Readonly<Record<Sender, Budget>> = BODY_BUDGETS,
): BodyBudgets {
  const reservations = new Map<Request, Reservation>()
  const total: Record<Sender, number> = { stranger: 0, key: 0 }
  const byAddress: Record<Sender, Map<string, number>> = { stranger: new Map(), key: new Map() }

  function add({ sender, address }: Reservation, bytes: number): void {
    total[sender] += bytes
    const ofAddress = (byAddress[sender].get(address) ?? 0) + bytes
    if (ofAddress === 0) byAddress[sender].delete(address)
    else byAddress[sender].set(address, ofAddress)
  }

  return {
    reserve(request, sender, bytes) {
      const known = reservations.get(request)
      const reservation = known ?? { sender, address: addressOf(request), bytes: 0 }
      const { totalBytes, perAddressBytes } = budgets[sender]
      const ofAddress = byAddress[sender].get(reservation.address) ?? 0
      if (total[sender] + bytes > totalBytes || ofAddress + bytes > perAddressBytes) throw busy()
      if (known === undefined) reservations.set(request, reservation)
      reservation.bytes += bytes
      add(reservation, bytes)
    },
    release(request) {
      const reservation = reservations.get(request)
      if (reservation === undefined) return
      reservations.delete(request)
      add(reservation, -reservation.bytes)
    },
    reservedBytes: () => total.stranger + total.key,
  }
}

function busy() {
  return refuse.unavailable(
    'server_busy',
    'The server is receiving too much at once. Wait a few seconds, then send it again.',
    { retry_after_s: RETRY_AFTER_S },
  )
}
