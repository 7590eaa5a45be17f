package redis

import goredis "github.com/redis/go-redis/v9"

// Each script has the record's key for its only one, so a cluster can run it. Those
// that write get the value, the uses and the time to live; a swap the old value too.
var (
	getScript  = goredis.NewScript(readRecord + returnRecord)
	takeScript = goredis.NewScript(isCount + readRecord + `
if record[2] == '1' then
	redis.call('DEL', KEYS[1])
elseif isCount(record[2]) and tonumber(record[2]) > 1 then
	redis.call('HINCRBY', KEYS[1], 'left', -1)
end` + returnRecord)

	putScript = goredis.NewScript(isCount + `
local record = redis.call('HMGET', KEYS[1], 'value', 'left')
if record[1] == ARGV[1] and isCount(record[2]) then return 0 end` + writeRecord)
	claimScript = goredis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end` + writeRecord)
	swapScript = goredis.NewScript(`
if redis.call('HGET', KEYS[1], 'value') ~= ARGV[4] then return 0 end` + writeRecord)
)

const (
	// What another program left in a record's place may hold anything.
	isCount = `
local function isCount(s)
	return s and string.find(s, '^%-?%d+$') and math.abs(tonumber(s)) <= 2^63
end`

	readRecord = `
local record = redis.call('HMGET', KEYS[1], 'value', 'left')
if not record[1] then return false end
local ttl = redis.call('PTTL', KEYS[1])`

	returnRecord = `
return {record[1], record[2], ttl}`

	// A time to live of none or less makes the server delete the key at once.
	writeRecord = `
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'value', ARGV[1], 'left', ARGV[2])
if ARGV[3] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return 1`
)
