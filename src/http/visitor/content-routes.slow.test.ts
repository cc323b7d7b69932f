import { CONTENT_URL } from '../../testing/own-host.ts'
import { describeClosedPages } from './content-routes.suite.ts'

describeClosedPages('on postgres', 'postgres', null)
describeClosedPages('on the page’s own host', 'sqlite', CONTENT_URL)
