import type { Page } from '../../model/page/index.ts'
import type { Participant } from '../../model/viewer.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { PollSettings } from './rules.ts'

/** A voter as a poll identifies them. */
export interface Voter {
  /** Identifies the browser in this poll. */
  deviceKey: string
  /** Identifies the person in this poll, by the confirmed address; null without one. */
  personKey: string | null
  email: string | null
  /** A name that does not reveal the address. */
  alias: string
  isOwner: boolean
}

/**
 * The keys of votes are derived from the viewer's key, so that a secret vote cannot be matched with
 * other rows: a response has the viewer's key and address.
 */
export function voterOf(secrets: Secrets, { id }: Page, participant: Participant): Voter {
  const { kind, email, key, deviceKey, alias } = participant
  return {
    deviceKey: secrets.sign('voter', id, deviceKey),
    personKey: email === null ? null : personKeyOf(secrets, id, key),
    email,
    alias,
    isOwner: kind === 'owner',
  }
}

/** @param viewerKey that of a viewer of the page with a confirmed address */
export function personKeyOf(secrets: Secrets, pageId: string, viewerKey: string): string {
  return secrets.sign('voter', pageId, viewerKey)
}

/** All keys that a vote of this person may be stored under. */
export function keysOf({ deviceKey, personKey }: Voter): [string, string?] {
  return personKey === null ? [deviceKey] : [deviceKey, personKey]
}

/** The key that a vote is stored under now; null where the person has to confirm an address. */
export function ballotKey(settings: PollSettings, { deviceKey, personKey }: Voter): string | null {
  return settings.poll_require_email ? personKey : deviceKey
}

/** The one of this person's votes that the panel shows as theirs. */
export function ownVote<Vote extends { voter: string }>(
  settings: PollSettings,
  voter: Voter,
  votes: readonly Vote[],
): Vote | null {
  const key = ballotKey(settings, voter)
  return votes.find((vote) => vote.voter === key) ?? votes[0] ?? null
}
