import type { Plan } from '../../model/plan.ts'

/**
 * What differs between servers in the documents that the build makes: `http/web/docs.ts` puts the
 * server's own in their place.
 */
export { SERVER_URL } from '../../model/site.ts'
export const SESSION_COOKIE = '{{session_cookie}}'
export const planPlaceholder = (plan: Plan) => `{{plan_${plan}}}`
