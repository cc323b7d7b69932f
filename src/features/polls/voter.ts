import { withoutTag } from '../../model/email.ts'
import type { Page } from '../../model/page/index.ts'
import type { Participant, Viewer } from '../../model/viewer.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { PollSettings } from './rules.ts'

/** A voter as a poll identifies them. */
export interface Voter {
  /** Identifies the browser in this poll. */
  deviceKey: string
  /** Identifies the person in this poll, by the confirmed address; null without one. */
  personKey: string | null
  /** Identifies the address with its tag, by which older votes are stored; null without a tag. */
  taggedKey: string | null
  email: string | null
  /** A name that does not reveal the address. */
  alias: string
  isOwner: boolean
  /** The named link that they came by. */
  linkId: string | null
}

export interface VoterDeps {
  secrets: Pick<Secrets, 'sign'>
  viewers: { viewerOf(page: Page, identity: { email: string }): Viewer }
}

/**
 * The keys of votes are derived from the viewer's key, so that a secret vote cannot be matched with
 * other rows: a response has the viewer's key and address. `ann+1@…` and `ann+2@…` are one voter:
 * mail programs deliver both to `ann@…`, so that one person would have any number of votes.
 */
export function createVoters({ secrets, viewers }: VoterDeps) {
  const keyOf = ({ id }: Page, viewerKey: string) => secrets.sign('voter', id, viewerKey)
  const emailKey = (page: Page, email: string) => keyOf(page, viewers.viewerOf(page, { email }).key)

  const keysOfEmail = (page: Page, email: string) => ({
    person: emailKey(page, withoutTag(email)),
    tagged: emailKey(page, email),
  })

  return {
    /** The keys of the person who confirms an address: without its tag, and exactly by it. */
    keysOfEmail,
    voterOf(page: Page, { kind, email, deviceKey, alias, linkId = null }: Participant): Voter {
      const keys = email === null ? null : keysOfEmail(page, email)
      return {
        deviceKey: keyOf(page, deviceKey),
        personKey: keys?.person ?? null,
        taggedKey: keys === null || keys.tagged === keys.person ? null : keys.tagged,
        email,
        alias,
        isOwner: kind === 'owner',
        linkId,
      }
    },
  }
}

/** All keys that a vote of this person may be stored under. */
export function keysOf({ deviceKey, personKey, taggedKey }: Voter): string[] {
  return [deviceKey, personKey, taggedKey].filter((key) => key !== null)
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
