/** The plans by the names that people read. */
export const PLANS = { free: 'Free', pro: 'Pro', team: 'Team' } as const
