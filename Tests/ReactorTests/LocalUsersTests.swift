import Glibc
import Testing

@testable import SwitchyardReactor

@Suite("The users that the kernel can tell apart") struct LocalUsersTests {
    @Test("outside of user namespaces, all users have numbers, and the highest is no user's")
    func everybody() {
        let users = LocalUsers(map: "         0          0 4294967295", overflow: "65534")
        #expect([0, 1000, 65534, .max - 1].allSatisfy(users.contains))
        #expect(!users.contains(.max))
    }

    @Test("in a user namespace, the number of unmapped users is no user's", arguments: ["65534", "99"])
    func strangers(overflow: String) throws {
        let number = try #require(UInt32(overflow))
        // A range with that number, too: a peer with it may still be any user.
        let users = LocalUsers(map: "0 1000 1\n1 100000 65536", overflow: overflow)
        #expect(users.contains(0) && users.contains(1) && users.contains(65536))
        #expect(!users.contains(number) && !users.contains(65537))
    }

    @Test("an identity that is not everybody's is a user namespace")
    func shortIdentity() {
        let users = LocalUsers(map: "0 0 4294967294", overflow: "65534")
        #expect(users.contains(0) && !users.contains(65534))
    }

    @Test("an unreadable number of unmapped users counts as 65534", arguments: [nil, "x", ""])
    func unreadable(overflow: String?) {
        let users = LocalUsers(map: nil, overflow: overflow)
        #expect(users.contains(1000) && !users.contains(65534))
        #expect(!LocalUsers(map: "", overflow: overflow).contains(1000))
    }

    @Test("a range beyond the highest number ends at it")
    func overlong() {
        let users = LocalUsers(map: "4294967290 0 4294967295\n4294967295 5 1\n7 7", overflow: "65534")
        #expect(users.contains(.max - 1) && !users.contains(.max) && !users.contains(7))
    }
}
