Content-Length: x

{}Content-Length: 2
Content-Type: y

[]Content-Length: -1

Content-Length: 4

null