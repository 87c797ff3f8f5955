import dgram from 'node:dgram'
import net from 'node:net'

/** Imported for its side effect: from here on, nothing in this process can connect to or listen on an address. */
function refuse(): never {
  throw new Error('a document reader has no network')
}

net.Socket.prototype.connect = refuse
net.Server.prototype.listen = refuse
dgram.Socket.prototype.bind = refuse
dgram.Socket.prototype.send = refuse
dgram.Socket.prototype.connect = refuse
