import { connect } from 'rondo/client'
import { driveClient } from '../measure/drive-client.mjs'

await driveClient((url) => connect(url))
